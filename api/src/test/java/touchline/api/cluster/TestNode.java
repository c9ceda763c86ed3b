package touchline.api.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.OwnerRow;
import touchline.api.cluster.ownership.OwnershipTimes;
import touchline.api.db.ActiveStreamRepository;
import touchline.api.db.Database;
import touchline.api.db.Epoch;
import touchline.api.db.LeaseHolder;
import touchline.api.db.NodeLoad;
import touchline.api.db.NodeRepository;
import touchline.api.db.NodeSettings;
import touchline.api.db.ServerDatabase;
import touchline.api.db.SessionRepository;
import touchline.api.db.StreamOwnerRepository;
import touchline.api.db.TestPostgres;
import touchline.api.domain.LatencyMode;
import touchline.api.domain.Session;
import touchline.api.domain.SuspendedSession;
import touchline.api.session.Admission;
import touchline.api.session.ReservedNumbers;
import touchline.api.session.StreamUse;
import touchline.config.DatabaseConfig;
import touchline.ingest.RelayKey;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.InterruptedSession;
import touchline.testing.Await;

/** A node without media, for one stream. */
final class TestNode
        implements StreamUse, StreamOwnership.Sessions, StreamOwnership.Relays, AutoCloseable {
    static final StreamId STREAM = new StreamId("str_1");
    static final SessionId SESSION = new SessionId("ses_1");

    private static final Path FOLDER = Path.of("does-not-exist");

    /** No test waits for its end. */
    private static final Duration LEASE = Duration.ofSeconds(20);

    private static final Duration HEARTBEAT = Duration.ofMillis(25);

    private static final String STREAM_ROW =
            """
            INSERT INTO live_streams (id, account_id, title, user_metadata, latency_mode, recorded,
                reconnect_window_s, mp4_support, disabled, created_at_ms)
            VALUES ('str_1', 'default', '', '', 'low', TRUE, 30, 'none', FALSE, 0)
            ON CONFLICT DO NOTHING
            """;

    final Database database;
    final StreamOwnership ownership;
    final ActiveStreams active;
    final Janitor janitor;
    final SessionRepository sessions;
    final Set<StreamId> connected = ConcurrentHashMap.newKeySet();
    final Set<StreamId> sending = ConcurrentHashMap.newKeySet();
    final Set<StreamId> ending = ConcurrentHashMap.newKeySet();
    final List<String> reports = new CopyOnWriteArrayList<>();

    /** Of the other nodes, where publishers can be relayed. */
    Optional<InetSocketAddress> rtmp = Optional.empty();

    static DatabaseConfig database() {
        DatabaseConfig any = TestPostgres.newDatabase();
        return new DatabaseConfig(any.url(), any.user(), any.password(), /* maxConnections= */ 3);
    }

    TestNode(DatabaseConfig config, String id, boolean isOrigin) {
        OwnershipTimes times = OwnershipTimes.of(LEASE.toMillis(), HEARTBEAT.toMillis());
        Membership membership = new Membership(times, InstantSource.system(), System::nanoTime);
        database =
                new ServerDatabase(
                                new DatabaseConfig(
                                        config.url(), config.user(), config.password(), 3),
                                FOLDER,
                                new LeaseHolder(id, id, _ -> false),
                                _ -> {})
                        .join(
                                new ServerDatabase.Joining(
                                        new NodeSettings(id, List.of("origin"), "1", "h", "k", "s"),
                                        new NodeLoad(),
                                        LEASE,
                                        HEARTBEAT,
                                        membership));
        execute(STREAM_ROW);
        sessions = new SessionRepository(database);
        StreamOwnerRepository owners = new StreamOwnerRepository(database, times);
        janitor = new Janitor(membership, new NodeRepository(database), owners, this);
        active = new ActiveStreams(new ActiveStreamRepository(database), key -> key);
        ownership =
                new StreamOwnership(
                        membership,
                        new StreamOwnership.Dependencies(
                                owners,
                                this,
                                isOrigin,
                                this,
                                active,
                                task -> Thread.ofVirtual().start(task)));
        ownership.watch(this);
    }

    @Override
    public boolean isOpen(StreamId stream) {
        return connected.contains(stream);
    }

    @Override
    public boolean isSending(StreamId stream) {
        return sending.contains(stream);
    }

    @Override
    public boolean isEnding(StreamId stream) {
        return ending.contains(stream);
    }

    @Override
    public void end(StreamId stream) {
        reports.add("end");
    }

    /** As a session does whose stream is given up. */
    @Override
    public synchronized void release(StreamId stream) {
        if (connected.contains(stream)) {
            Epoch epoch = ownership.epoch(stream);
            ending.add(stream);
            connected.remove(stream);
            sending.remove(stream);
            sessions.suspend(suspended(), epoch, ownership.release(stream));
            ownership.closed(epoch);
            ending.remove(stream);
        }
    }

    @Override
    public void drop(StreamId stream) {
        connected.remove(stream);
        reports.add("drop");
    }

    @Override
    public void closeAbandoned(StreamId stream, boolean connected) {
        sessions.closeAbandoned(stream)
                .forEach(each -> reports.add("closed " + each.id() + " " + connected));
    }

    @Override
    public void takeOver(Epoch epoch, SessionId session, boolean connected, Instant at) {
        sessions.takenOver(session, epoch);
        reports.add("goes on " + session + " " + connected);
    }

    /** An encoder begins to send. */
    ReservedNumbers publish() {
        assertEquals(Admission.HERE, ownership.admit(STREAM));
        Epoch epoch = ownership.epoch(STREAM);
        sessions.start(Session.started(SESSION, STREAM, Instant.now()), epoch);
        connected.add(STREAM);
        sending.add(STREAM);
        return ownership.numbers(STREAM, SESSION).orElseThrow();
    }

    /**
     * Its process ends, and its lease is over.
     *
     * @param witness a node that has never missed a heartbeat
     */
    void die(TestNode witness) {
        connected.clear();
        database.close();
        witness.execute("UPDATE nodes SET lease_until_ms = confirmed_at_ms WHERE id = 'node-a'");
        witness.execute("UPDATE nodes SET unbroken_since_ms = unbroken_since_ms - 60000");
    }

    /** Waits until a heartbeat has begun and ended. */
    void awaitHeartbeat() {
        for (int i = 0; i < 2; i++) {
            long before = confirmedAtMs();
            Await.until(() -> confirmedAtMs() > before);
        }
    }

    private long confirmedAtMs() {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement();
                var row =
                        statement.executeQuery(
                                "SELECT max(confirmed_at_ms) FROM nodes WHERE id = '%s'"
                                        .formatted(database.node().orElseThrow().id()))) {
            boolean _ = row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void execute(String sql) {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    OwnerRow row() {
        return new StreamOwnerRepository(database, OwnershipTimes.DEFAULT).find(STREAM).row();
    }

    private static SuspendedSession suspended() {
        Instant now = Instant.now();
        Duration window = Duration.ofSeconds(30);
        return new SuspendedSession(
                Session.started(SESSION, STREAM, now),
                new InterruptedSession(STREAM, SESSION, now, now, window, window, 0, 1),
                now.plus(window),
                new SuspendedSession.Settings(LatencyMode.LOW, true, false, 1, 1),
                Optional.empty());
    }

    @Override
    public void close() {
        database.close();
    }

    @Override
    public Optional<InetSocketAddress> address(NodeRef owner) {
        return rtmp;
    }

    @Override
    public boolean refuses(NodeRef owner) {
        return true;
    }

    @Override
    public Optional<RelayKey> key() {
        return Optional.empty();
    }
}
