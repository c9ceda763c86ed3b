package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.OwnershipTimes;
import touchline.api.cluster.ownership.Takeover;
import touchline.api.domain.ClusterNode;
import touchline.api.domain.NodeState;
import touchline.api.domain.Session;
import touchline.api.domain.SessionEnd;
import touchline.api.domain.SessionReport;
import touchline.api.domain.StreamDefinition;
import touchline.config.DatabaseConfig;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.testing.Await;

/** Nodes, their leases and their streams. A cluster needs PostgreSQL. */
@Timeout(480)
final class PostgresClusterIT {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Path FOLDER = Path.of("does-not-exist");
    private static final SessionId SESSION = new SessionId("ses_1");

    private final BlockingQueue<String> losses = new LinkedBlockingQueue<>();
    private final DatabaseConfig config = database();
    private final List<Database> open = new ArrayList<>();

    /** Of no server. */
    private final Database keptOpen = Database.open(config, FOLDER);

    private static DatabaseConfig database() {
        DatabaseConfig any = TestPostgres.newDatabase();
        return new DatabaseConfig(any.url(), any.user(), any.password(), /* maxConnections= */ 3);
    }

    @AfterEach
    void close() {
        // A node that has ended in between is closed again.
        open.reversed().forEach(Database::close);
        keptOpen.close();
    }

    private static NodeSettings settings(String id) {
        return new NodeSettings(id, List.of("origin", "jobs"), "1.0", "hash", "key", "secret");
    }

    private Database join(String id) {
        return join(settings(id), LONG, LONG);
    }

    private Database join(NodeSettings node, Duration lease, Duration heartbeat) {
        return join(node, lease, heartbeat, new LeaseHolder(node.id(), node.id(), _ -> false));
    }

    private Database join(
            NodeSettings node, Duration lease, Duration heartbeat, LeaseHolder holder) {
        Database joined =
                new ServerDatabase(config, FOLDER, holder, losses::add)
                        .join(
                                new ServerDatabase.Joining(
                                        node, new NodeLoad(), lease, heartbeat, NodeExchange.NONE));
        open.add(joined);
        return joined;
    }

    private Database alone() {
        Database opened =
                new ServerDatabase(
                                config,
                                FOLDER,
                                new LeaseHolder("alone", "", _ -> false),
                                losses::add)
                        .openAlone();
        open.add(opened);
        return opened;
    }

    private static String refusal(Runnable start) {
        return String.valueOf(assertThrows(DatabaseException.class, start::run).getMessage());
    }

    private NodeState state(String id) {
        return new NodeRepository(keptOpen).find(id).map(ClusterNode::state).orElseThrow();
    }

    @Test
    void join_ofTwoNodes_isListed_andACloseIsSeen() {
        Database first = join("node-a");
        Database second = join("node-b");

        List<ClusterNode> nodes = new NodeRepository(first).list();
        assertEquals(List.of("node-a", "node-b"), nodes.stream().map(ClusterNode::id).toList());
        assertEquals(List.of("origin", "jobs"), nodes.getFirst().roles());
        assertTrue(nodes.getFirst().leaseLeft().compareTo(Duration.ofMinutes(59)) > 0);
        second.close();

        assertEquals(NodeState.GONE, state("node-b"));
        assertEquals(2, join("node-b").node().orElseThrow().incarnation());
        assertEquals(NodeState.UP, state("node-b"));
    }

    @Test
    void join_underAnIdThatIsAlive_isRefused() {
        join(settings("node-a"), LONG, SHORT);

        String message = refusal(() -> join(settings("node-a"), LONG, SHORT));

        assertTrue(message.contains("in use by the server node node-a of a cluster"), message);
    }

    @Test
    void join_afterACrashInTheSameFolder_waitsForTwoHeartbeatsOnly() {
        LeaseHolder crashed = new LeaseHolder("host", "pid 1 folder", _ -> false);
        join(settings("node-a"), LONG, LONG, crashed);

        LeaseHolder next = new LeaseHolder("host", "x", _ -> false, "pid 1 folder"::equals);
        Database again = join(settings("node-a"), LONG, SHORT, next);

        assertEquals(2, again.node().orElseThrow().incarnation());
    }

    @Test
    void aServerWithoutACluster_andNodes_keepEachOtherOut() {
        Database server = alone();
        String joining = refusal(() -> join(settings("node-a"), LONG, Duration.ofSeconds(2)));
        assertTrue(joining.contains("in use by the server alone"), joining);
        server.close();

        join(settings("node-a"), LONG, SHORT);
        String starting = refusal(this::alone);

        assertTrue(starting.contains("in use by the server node node-a"), starting);
    }

    @Test
    void join_underOtherSecrets_isRefused_whileANodeRuns() {
        Database first = join("node-a");
        NodeSettings otherKey =
                new NodeSettings("node-b", List.of("edge"), "1.0", "hash", "other", "secret");
        NodeSettings otherSecret =
                new NodeSettings("node-b", List.of("edge"), "1.0", "hash", "key", "other");

        String key = refusal(() -> join(otherKey, LONG, LONG));
        String secret = refusal(() -> join(otherSecret, LONG, LONG));

        assertTrue(key.startsWith("auth.master-key: not that of node node-a"), key);
        assertTrue(secret.startsWith("auth.admin-secret: not that of node node-a"), secret);
        first.close();
        assertDoesNotThrow(() -> join(otherKey, LONG, LONG));
    }

    @Test
    void declareDead_needsALeaseThatIsOver_andStopsTheNode() throws Exception {
        Database late = join(settings("node-a"), Duration.ofSeconds(3), LONG);
        join("node-b");
        NodeRepository nodes = new NodeRepository(keptOpen);
        assertFalse(nodes.declareDead(new NodeRef("node-b", 1)));
        Await.until(() -> nodes.find("node-a").orElseThrow().leaseLeft().isNegative());
        // Late, but not declared dead: the node goes on.
        late.ping();
        Await.until(() -> nodes.find("node-a").orElseThrow().leaseLeft().isNegative());

        assertTrue(nodes.declareDead(new NodeRef("node-a", 1)));

        String message = refusal(late::ping);
        assertTrue(message.startsWith("another node has declared node node-a dead"), message);
        assertEquals(message, losses.poll(30, TimeUnit.SECONDS));
        assertEquals(NodeState.GONE, state("node-a"));
    }

    @Test
    void drain_ofANodeThatRuns_isSeen_andItsNextStartEndsIt() {
        Database node = join("node-a");
        NodeRepository nodes = new NodeRepository(keptOpen);

        assertTrue(nodes.drain("node-a"));
        assertFalse(nodes.drain("node-z"));

        assertEquals(NodeState.DRAINING, state("node-a"));
        node.close();
        assertFalse(nodes.drain("node-a"));
        join("node-a");
        assertEquals(NodeState.UP, state("node-a"));
    }

    private StreamId stream() {
        StreamRepository streams = new StreamRepository(keptOpen, Samples.vault());
        StreamDefinition stream = Samples.stream();
        streams.create(stream);
        return stream.id();
    }

    private static StreamOwnerRepository owners(Database node) {
        return new StreamOwnerRepository(node, OwnershipTimes.DEFAULT);
    }

    /** As a node does whose encoder could not connect to the owner. */
    private static Optional<Epoch> take(Database node, StreamId stream, long seen) {
        return owners(node)
                .claim(
                        new StreamOwnerRepository.Try(stream, seen, false, true),
                        /* hasWindow= */ false,
                        _ -> {})
                .claimed()
                .map(claimed -> new Epoch(stream, claimed.won().row().epoch()));
    }

    @Test
    void claim_ofAFreeStream_succeedsAtOneNode() {
        Database a = join("node-a");
        Database b = join("node-b");
        StreamId stream = stream();

        assertEquals(Optional.of(new Epoch(stream, 1)), take(a, stream, 0));
        assertEquals(Optional.empty(), take(b, stream, 0));

        StreamOwnerRepository.Seen owner = owners(b).find(stream);
        assertEquals(new NodeRef("node-a", 1), owner.row().owner());
        assertTrue(owner.ownerAlive());
        StreamOwnerRepository.Decided polite =
                owners(b)
                        .claim(
                                new StreamOwnerRepository.Try(stream, 1, false, false),
                                false,
                                _ -> {});
        assertEquals(new Takeover.Verdict.Alive(new NodeRef("node-a", 1)), polite.verdict());
        Epoch second = take(b, stream, 1).orElseThrow();
        assertEquals(new Epoch(stream, 2), second);
        assertFalse(owners(a).end(new Epoch(stream, 1), 0));
        assertTrue(owners(b).end(second, 7));
        assertEquals(null, owners(a).find(stream).row().owner());
        assertEquals(7, owners(a).find(stream).row().floor());
    }

    @Test
    void writesOfASession_afterAnotherNodeHasTakenItsStream_areRejected() {
        Database a = join("node-a");
        Database b = join("node-b");
        SessionRepository sessions = new SessionRepository(a);
        StreamId stream = stream();
        Epoch first = take(a, stream, 0).orElseThrow();
        assertTrue(sessions.start(Session.started(SESSION, stream, Samples.NOW), first));
        assertTrue(sessions.report(SESSION, SessionReport.EMPTY, Samples.NOW, first));

        Epoch second = take(b, stream, 1).orElseThrow();

        List<Executable> late =
                List.of(
                        () -> sessions.report(SESSION, SessionReport.EMPTY, Samples.NOW, first),
                        () -> sessions.end(SESSION, Samples.NOW, SessionEnd.COMPLETED, first),
                        () -> sessions.connected(SESSION, first),
                        () -> sessions.disconnected(first),
                        () ->
                                sessions.start(
                                        Session.started(
                                                new SessionId("ses_2"), stream, Samples.NOW),
                                        first),
                        () ->
                                sessions.report(
                                        SESSION,
                                        SessionReport.EMPTY,
                                        Samples.NOW,
                                        Epoch.lost(stream)));
        late.forEach(each -> assertThrows(FencedException.class, each));
        assertTrue(sessions.report(SESSION, SessionReport.EMPTY, Samples.NOW, second));
    }

    @Test
    void fencedWrite_rollsItsTransactionBack() {
        Database a = join("node-a");
        SessionRepository sessions = new SessionRepository(a);
        StreamId stream = stream();
        Epoch first = take(a, stream, 0).orElseThrow();
        sessions.start(Session.started(SESSION, stream, Samples.NOW), first);
        assertTrue(owners(a).end(first, 0));

        assertThrows(
                FencedException.class,
                () ->
                        a.transact(
                                () -> {
                                    a.with(handle -> handle.execute("DELETE FROM sessions"));
                                    sessions.end(SESSION, Samples.NOW, SessionEnd.COMPLETED, first);
                                }));

        assertTrue(sessions.find(SESSION).isPresent());
    }

    @Test
    void aStart_endsTheSessionsFromBeforeTheClusterOnly() {
        StreamId before = stream();
        StreamId ofA = stream();
        new SessionRepository(keptOpen)
                .start(Session.started(new SessionId("ses_old"), before, Samples.NOW), Epoch.ALONE);
        Database a = join("node-a");
        begin(a, ofA, "ses_a");
        a.close();

        SessionRepository again = new SessionRepository(join("node-a"));
        List<Session> closed = again.closeInterrupted(Set.of());

        assertEquals(List.of("ses_old"), closed.stream().map(each -> each.id().value()).toList());
        assertTrue(again.find(new SessionId("ses_a")).orElseThrow().end().isEmpty());
    }

    private static void begin(Database node, StreamId stream, String session) {
        Epoch epoch = take(node, stream, 0).orElseThrow();
        new SessionRepository(node)
                .start(Session.started(new SessionId(session), stream, Samples.NOW), epoch);
    }

    @Test
    void aServerWithoutACluster_countsOnBehindTheNumbersOfNodes() {
        Database a = join("node-a");
        StreamId ended = stream();
        StreamId left = stream();
        assertTrue(owners(a).end(take(a, ended, 0).orElseThrow(), 41));
        begin(a, left, "ses_a");
        a.close();

        Database server = alone();

        MediaSequences sequences = new MediaSequences(server);
        assertEquals(42, sequences.reserve(ended, 10).orElseThrow().start());
        assertTrue(sequences.reserve(left, 10).orElseThrow().start() > 2);
        server.close();
        assertEquals(51, owners(join("node-a")).find(ended).row().floor());
    }

    @Test
    void request_forAStream_isSeenByItsOwnerUntilItAnswers() {
        Database a = join("node-a");
        Database b = join("node-b");
        StreamId stream = stream();
        Epoch epoch = take(a, stream, 0).orElseThrow();

        assertFalse(owners(b).want(stream, 2));
        assertEquals(null, owners(a).find(stream).row().wantedBy());
        assertTrue(owners(b).want(stream, 1));
        assertEquals("node-b", owners(a).find(stream).row().wantedBy());
        owners(a).keep(epoch);

        assertEquals(null, owners(b).find(stream).row().wantedBy());
    }
}
