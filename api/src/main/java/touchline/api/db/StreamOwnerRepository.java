package touchline.api.db;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.OwnerRow;
import touchline.api.cluster.ownership.OwnerRow.Phase;
import touchline.api.cluster.ownership.OwnershipTimes;
import touchline.api.cluster.ownership.Registry;
import touchline.api.cluster.ownership.ResumeRecord;
import touchline.api.cluster.ownership.Takeover;
import touchline.api.cluster.ownership.Takeover.Verdict;
import touchline.media.SessionId;
import touchline.media.StreamId;

/**
 * The owners of streams in a cluster. Each change is decided in the transaction that holds the row.
 * Calls block; any thread.
 */
public final class StreamOwnerRepository {
    private final Database database;
    private final NodeIdentity node;
    private final OwnershipTimes times;

    /**
     * @param database of a node
     */
    public StreamOwnerRepository(Database database, OwnershipTimes times) {
        this.database = database;
        this.node = database.node().orElseThrow();
        this.times = times;
    }

    /**
     * A row as it was read, for a decision that a transaction repeats.
     *
     * @param ownerAlive whether the owner's lease is good
     */
    public record Seen(OwnerRow row, boolean ownerAlive) {}

    /**
     * A session of an owner that has ended or given it up.
     *
     * @param session whose row is open; null where none was stored
     * @param connected whether its encoder is connected, as far as events say
     * @param goesOn false: it is to be ended
     * @param disconnectedAtMs when its encoder left, or was last known to send
     * @param untilMs when its reconnect window ends
     */
    public record Former(
            @Nullable SessionId session,
            boolean connected,
            boolean goesOn,
            @Nullable ResumeRecord resume,
            long disconnectedAtMs,
            long untilMs) {}

    /**
     * A claim that was won.
     *
     * @param firstInit number of the first init section of a session that goes on
     */
    public record Claimed(
            Verdict.Won won, long reconnectWindowMs, Optional<Former> former, int firstInit) {}

    /**
     * What becomes of a claim.
     *
     * @param claimed present where it was won
     */
    public record Decided(Verdict verdict, Optional<Claimed> claimed) {}

    /** The row of a stream, also where it was never claimed. */
    public Seen find(StreamId stream) {
        return database.inTransaction(
                handle -> {
                    OwnerRow row =
                            OwnerRows.find(handle, stream.value())
                                    .map(OwnerRows.Stored::row)
                                    .orElseGet(() -> OwnerRow.unclaimed(stream.value(), -1));
                    NodeRef owner = row.owner();
                    Registry registry = registry(handle);
                    return new Seen(
                            row, owner != null && registry.leaseOf(owner).good(registry.nowMs()));
                });
    }

    private Registry registry(Handle handle) {
        return RegistryRows.read(handle, times);
    }

    /** A try to take a stream, see {@link Takeover.Claim}. */
    public record Try(
            StreamId stream, long seenEpoch, boolean failing, boolean connectionRefused) {}

    /**
     * Takes a stream, if its row and the leases of the nodes allow it.
     *
     * @param hasWindow whether this node has the window of a session on its disk
     * @param onWon what belongs to the transaction: the session of the last owner goes on, or ends
     */
    public Decided claim(Try claim, boolean hasWindow, Consumer<Claimed> onWon) {
        String stream = claim.stream().value();
        return database.inTransaction(
                handle -> {
                    // First, as in the transactions that start and end sessions.
                    if (!StreamRows.lock(handle, claim.stream())) {
                        return new Decided(new Verdict.Lost(), Optional.empty());
                    }
                    OwnerRows.insertMissing(handle, stream);
                    OwnerRows.Stored stored = OwnerRows.lock(handle, stream).orElseThrow();
                    Registry registry = registry(handle);
                    Verdict verdict =
                            Takeover.decide(
                                    stored.row(),
                                    registry,
                                    new Takeover.Claim(
                                            ref(),
                                            claim.seenEpoch(),
                                            claim.failing(),
                                            claim.connectionRefused(),
                                            "ses_" + UUID.randomUUID(),
                                            stored.reconnectWindowMs()));
                    if (!(verdict instanceof Verdict.Won won)) {
                        return new Decided(verdict, Optional.empty());
                    }
                    Claimed claimed = claimed(handle, stored, registry, won, hasWindow);
                    OwnerRows.store(handle, stored.row(), stored(claimed));
                    onWon.accept(claimed);
                    return new Decided(verdict, Optional.of(claimed));
                });
    }

    private Claimed claimed(
            Handle handle,
            OwnerRows.Stored before,
            Registry registry,
            Verdict.Won won,
            boolean hasWindow) {
        OwnerRow row = before.row();
        if (row.sessionId() == null) {
            return new Claimed(won, before.reconnectWindowMs(), Optional.empty(), 0);
        }
        SessionId session = new SessionId(row.sessionId());
        boolean isOpen =
                handle.createQuery("SELECT 1 FROM sessions WHERE id = :id AND ended_at_ms IS NULL")
                        .bind("id", session.value())
                        .mapTo(Integer.class)
                        .findOne()
                        .isPresent();
        boolean goesOn =
                isOpen && won.endedSession() == null && (hasWindow || row.resume() != null);
        long untilMs = Takeover.resumableUntilMs(row, registry, before.reconnectWindowMs());
        Former former =
                new Former(
                        isOpen ? session : null,
                        isOpen && row.phase() == Phase.PUBLISHING,
                        goesOn,
                        row.resume(),
                        untilMs - before.reconnectWindowMs(),
                        untilMs);
        return new Claimed(
                won, before.reconnectWindowMs(), Optional.of(former), row.initFloor() + 1);
    }

    /** A new session gets its id with its first media. */
    private static OwnerRow stored(Claimed claimed) {
        OwnerRow row = claimed.won().row();
        return claimed.former().filter(Former::goesOn).isPresent()
                ? row
                : new OwnerRow(
                        row.streamId(),
                        row.epoch(),
                        row.owner(),
                        null,
                        row.phase(),
                        row.resumableUntilMs(),
                        row.floor(),
                        OwnerRow.INIT_RESERVE,
                        null,
                        null);
    }

    private NodeRef ref() {
        return new NodeRef(node.id(), node.incarnation());
    }

    /** Stores what the owner has reserved at once, not with the next heartbeat. */
    public boolean raise(NodeExchange.Owned owned) {
        return database.with(handle -> OwnerRows.raise(handle, node.id(), owned));
    }

    /**
     * Gives a stream back without a session that could go on; false where another node has it.
     *
     * @param newest highest number used
     */
    public boolean end(Epoch epoch, long newest) {
        return database.inTransaction(handle -> change(handle, epoch, row -> row.ended(newest)));
    }

    /** Gives a stream back that names this node, while this node does not have it. */
    public void releaseUnheld(OwnerRow row) {
        Epoch epoch = new Epoch(new StreamId(row.streamId()), row.epoch());
        database.inTransaction(
                handle ->
                        change(
                                handle,
                                epoch,
                                now -> now.retired(now.floor(), untilMs(handle, now))));
    }

    /** Returns the numbers that an ended session has not used, unless someone owns the stream. */
    public void settle(Epoch epoch, long newest) {
        database.with(
                handle ->
                        handle.createUpdate(
                                        "UPDATE stream_owners SET floor = LEAST(floor, :newest)"
                                                + " WHERE stream_id = :stream AND epoch = :epoch"
                                                + " AND node_id IS NULL")
                                .bind("newest", newest)
                                .bind("stream", epoch.stream().value())
                                .bind("epoch", epoch.number())
                                .execute());
    }

    /**
     * Asks the owner for a stream whose encoder is at the door of this node; false where it is not
     * that owner any more.
     */
    public boolean want(StreamId stream, long epoch) {
        return database.with(
                        handle ->
                                handle.createUpdate(
                                                "UPDATE stream_owners SET wanted_by = :node"
                                                        + " WHERE stream_id = :stream"
                                                        + " AND epoch = :epoch"
                                                        + " AND node_id IS NOT NULL")
                                        .bind("node", node.id())
                                        .bind("stream", stream.value())
                                        .bind("epoch", epoch)
                                        .execute())
                > 0;
    }

    /** Answers a node that has the encoder of a stream at its door: this node's encoder sends. */
    public void keep(Epoch epoch) {
        database.with(
                handle ->
                        handle.createUpdate(
                                        "UPDATE stream_owners SET wanted_by = NULL"
                                                + " WHERE stream_id = :stream AND epoch = :epoch")
                                .bind("stream", epoch.stream().value())
                                .bind("epoch", epoch.number())
                                .execute());
    }

    /** Streams with a session whose owner may have ended, longest unchanged first. */
    public List<StreamId> expirable(int limit) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        """
                                        SELECT o.stream_id FROM stream_owners o
                                        LEFT JOIN nodes n ON n.id = o.node_id
                                            AND n.incarnation = o.incarnation
                                            AND n.state \\<> 'gone' AND n.lease_until_ms >=
                                        """
                                                + LeaseConnection.NOW
                                                + " WHERE o.session_id IS NOT NULL AND n.id IS NULL"
                                                + " ORDER BY o.changed_at_ms LIMIT :limit")
                                .bind("limit", limit)
                                .mapTo(String.class)
                                .map(StreamId::new)
                                .list());
    }

    /**
     * Ends the session of a stream whose owner did not come back in time, and that no other node
     * has gone on with.
     *
     * @param onEnd what belongs to the transaction
     * @return false where it goes on
     */
    public boolean expire(StreamId stream, Consumer<Former> onEnd) {
        return database.inTransaction(
                handle -> {
                    boolean exists = StreamRows.lock(handle, stream);
                    Optional<OwnerRows.Stored> stored = OwnerRows.lock(handle, stream.value());
                    if (!exists || stored.isEmpty()) {
                        return false;
                    }
                    OwnerRow row = stored.get().row();
                    OwnerRow over =
                            Takeover.expire(
                                    row, registry(handle), stored.get().reconnectWindowMs());
                    if (over == null) {
                        return false;
                    }
                    OwnerRows.store(handle, row, over);
                    onEnd.accept(
                            new Former(
                                    new SessionId(Objects.requireNonNull(row.sessionId())),
                                    row.phase() == Phase.PUBLISHING,
                                    /* goesOn= */ false,
                                    null,
                                    0,
                                    0));
                    return true;
                });
    }

    // ---- in the transactions that store sessions

    /** An encoder sends; the session is that of the row from now on. */
    static void publishing(Handle handle, Epoch epoch, SessionId session) {
        boolean _ =
                change(
                        handle,
                        epoch,
                        row ->
                                new OwnerRow(
                                        row.streamId(),
                                        row.epoch(),
                                        row.owner(),
                                        session.value(),
                                        Phase.PUBLISHING,
                                        row.resumableUntilMs(),
                                        row.floor(),
                                        row.initFloor(),
                                        row.resume(),
                                        row.wantedBy()));
    }

    /** The encoder has left; the session waits for it. */
    static void interrupted(Handle handle, Epoch epoch) {
        boolean _ = change(handle, epoch, row -> row.interrupted(untilMs(handle, row)));
    }

    private static long untilMs(Handle handle, OwnerRow row) {
        return handle.createQuery(
                        "SELECT "
                                + LeaseConnection.NOW
                                + " + reconnect_window_s * 1000 FROM live_streams WHERE id = :id")
                .bind("id", row.streamId())
                .mapTo(Long.class)
                .one();
    }

    /** The session has ended. Its unused numbers are returned when all media is stored. */
    static void ended(Handle handle, Epoch epoch) {
        boolean _ = change(handle, epoch, row -> row.ended(row.floor()));
    }

    /** Any node may go on with the session, for so long. */
    static void released(Handle handle, Epoch epoch, Duration left, Release release) {
        boolean _ =
                change(
                        handle,
                        epoch,
                        row -> {
                            long untilMs = nowMs(handle) + left.toMillis();
                            OwnerRow given = row.released(release.newest(), untilMs);
                            return release.resume() == null
                                    ? given
                                    : given.resumable(release.resume());
                        });
    }

    private static long nowMs(Handle handle) {
        return handle.createQuery("SELECT " + LeaseConnection.NOW).mapTo(Long.class).one();
    }

    /** Changes a row that this node owns; false where it does not any more. */
    private static boolean change(Handle handle, Epoch epoch, UnaryOperator<OwnerRow> change) {
        if (epoch.isAlone()) {
            return false;
        }
        Optional<OwnerRow> row =
                OwnerRows.lock(handle, epoch.stream().value())
                        .map(OwnerRows.Stored::row)
                        .filter(each -> each.epoch() == epoch.number() && each.owner() != null);
        row.ifPresent(each -> OwnerRows.store(handle, each, change.apply(each)));
        return row.isPresent();
    }
}
