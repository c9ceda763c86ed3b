package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.OwnerRow;
import touchline.api.cluster.ownership.OwnershipTimes;
import touchline.api.cluster.ownership.Registry;
import touchline.api.cluster.ownership.Takeover;

/** Rows of {@code stream_owners}, in the caller's transaction. Stateless. */
final class OwnerRows {
    /**
     * Numbers that the stream used without a cluster count too: a single server reserves them in
     * the row of the stream.
     */
    private static final String ROWS =
            """
            SELECT o.*, s.reconnect_window_s,
                GREATEST(COALESCE(o.floor, -1), s.next_media_sequence - 1) AS used
            FROM stream_owners o JOIN live_streams s ON s.id = o.stream_id
            """;

    private OwnerRows() {}

    /**
     * @param reconnectWindowMs of the stream
     */
    record Stored(OwnerRow row, long reconnectWindowMs) {}

    static Optional<Stored> find(Handle handle, String stream) {
        return handle.createQuery(ROWS + " WHERE o.stream_id = :stream")
                .bind("stream", stream)
                .map((row, _) -> stored(row))
                .findOne();
    }

    /** Holds the row until the transaction ends. */
    static Optional<Stored> lock(Handle handle, String stream) {
        return handle.createQuery(ROWS + " WHERE o.stream_id = :stream FOR UPDATE OF o")
                .bind("stream", stream)
                .map((row, _) -> stored(row))
                .findOne();
    }

    /** The rows of a node in all its incarnations, held until the transaction ends. */
    static List<Stored> lockOf(Handle handle, String node) {
        return handle.createQuery(
                        ROWS + " WHERE o.node_id = :node ORDER BY o.stream_id FOR UPDATE OF o")
                .bind("node", node)
                .map((row, _) -> stored(row))
                .list();
    }

    /** The rows of a node, and these. */
    static List<OwnerRow> ofNodeAnd(Handle handle, String node, List<String> streams) {
        return handle.createQuery(ROWS + " WHERE o.node_id = :node OR o.stream_id = ANY (:streams)")
                .bind("node", node)
                .bindArray("streams", String.class, streams)
                .map((row, _) -> stored(row).row())
                .list();
    }

    /**
     * Stores what a node's streams have reserved, and returns its rows behind that. A row that is
     * held by another transaction is left for the next heartbeat, which must not be late.
     */
    static List<OwnerRow> exchanged(Handle handle, String node, List<NodeExchange.Owned> owned) {
        Map<String, NodeExchange.Owned> sent = new HashMap<>();
        owned.forEach(each -> sent.put(each.epoch().stream().value(), each));
        List<OwnerRow> rows = new ArrayList<>();
        for (OwnerRow row : ofNodeAnd(handle, node, List.copyOf(sent.keySet()))) {
            NodeExchange.Owned each = sent.get(row.streamId());
            boolean raised = each != null && each.changes(row) && raise(handle, node, each);
            rows.add(raised && each != null ? row.floorRaised(each.floor()) : row);
        }
        return rows;
    }

    /** Stores what an owner has reserved. False where it does not own the stream, or must wait. */
    static boolean raise(Handle handle, String node, NodeExchange.Owned owned) {
        return handle.createUpdate(
                                """
                                UPDATE stream_owners SET
                                    floor = GREATEST(COALESCE(floor, -1), :floor),
                                    init_floor = GREATEST(COALESCE(init_floor, 0), :initFloor),
                                    resume = COALESCE(:resume, resume)
                                WHERE stream_id = (SELECT stream_id FROM stream_owners
                                    WHERE stream_id = :stream AND epoch = :epoch
                                        AND node_id = :node FOR UPDATE SKIP LOCKED)
                                """)
                        .bind("floor", owned.floor())
                        .bind("initFloor", owned.initFloor())
                        .bind("resume", ResumeJson.write(owned.resume()))
                        .bind("stream", owned.epoch().stream().value())
                        .bind("epoch", owned.epoch().number())
                        .bind("node", node)
                        .execute()
                > 0;
    }

    /** A row for a stream that was never claimed; no effect where there is one. */
    static void insertMissing(Handle handle, String stream) {
        handle.createUpdate(
                        """
                        INSERT INTO stream_owners (stream_id, epoch, incarnation, phase, changed_at_ms)
                        VALUES (:stream, 0, 0, 'free',
                        """
                                + LeaseConnection.NOW
                                + ") ON CONFLICT (stream_id) DO NOTHING")
                .bind("stream", stream)
                .execute();
    }

    /**
     * Stores a row that this transaction holds, and lets all nodes know if the stream is active at
     * another node now, or at none any more.
     */
    static void store(Handle handle, OwnerRow before, OwnerRow row) {
        store(handle, row);
        if (!before.activity().equals(row.activity())) {
            ClusterChanges.recordForAll(handle, ClusterChanges.Kind.OWNER, row.streamId());
        }
    }

    private static void store(Handle handle, OwnerRow row) {
        NodeRef owner = row.owner();
        handle.createUpdate(
                        """
                        UPDATE stream_owners SET epoch = :epoch, node_id = :node,
                            incarnation = COALESCE(:incarnation, incarnation),
                            session_id = :session, phase = :phase, resumable_until_ms = :until,
                            floor = :floor, init_floor = :initFloor, resume = :resume,
                            wanted_by = :wanted, changed_at_ms =
                        """
                                + LeaseConnection.NOW
                                + " WHERE stream_id = :stream")
                .bind("epoch", row.epoch())
                .bind("node", owner == null ? null : owner.id())
                .bind("incarnation", owner == null ? null : (Long) owner.incarnation())
                .bind("session", row.sessionId())
                .bind("phase", wireName(row.phase()))
                .bind("until", row.resumableUntilMs() == 0 ? null : (Long) row.resumableUntilMs())
                .bind("floor", row.floor())
                .bind("initFloor", row.initFloor())
                .bind("resume", ResumeJson.write(row.resume()))
                .bind("wanted", row.wantedBy())
                .bind("stream", row.streamId())
                .execute();
    }

    /**
     * Of a server that works alone: no stream has an owner, and the numbers that nodes have used
     * are not used again.
     *
     * @return how many had one, or a session
     */
    static int leaveCluster(Handle handle) {
        Registry registry = RegistryRows.read(handle, OwnershipTimes.DEFAULT);
        List<Stored> left =
                handle.createQuery(
                                ROWS
                                        + " WHERE o.node_id IS NOT NULL OR o.session_id IS NOT NULL"
                                        + " FOR UPDATE OF o")
                        .map((row, _) -> stored(row))
                        .list();
        for (Stored each : left) {
            OwnerRow row = each.row();
            long used =
                    row.owner() == null
                            ? row.floor()
                            : Takeover.retire(row, registry, each.reconnectWindowMs()).floor();
            store(handle, row.endedForOwner(used));
        }
        handle.execute(
                """
                UPDATE live_streams SET next_media_sequence =
                    (SELECT o.floor + 1 FROM stream_owners o WHERE o.stream_id = live_streams.id)
                WHERE EXISTS (SELECT 1 FROM stream_owners o WHERE o.stream_id = live_streams.id
                    AND o.floor >= live_streams.next_media_sequence)
                """);
        return left.size();
    }

    static String wireName(OwnerRow.Phase phase) {
        return phase.name().toLowerCase(Locale.ROOT);
    }

    private static Stored stored(ResultSet row) throws SQLException {
        @Nullable String node = row.getString("node_id");
        return new Stored(
                new OwnerRow(
                        row.getString("stream_id"),
                        row.getLong("epoch"),
                        node == null ? null : new NodeRef(node, row.getLong("incarnation")),
                        row.getString("session_id"),
                        OwnerRow.Phase.valueOf(row.getString("phase").toUpperCase(Locale.ROOT)),
                        row.getLong("resumable_until_ms"),
                        row.getLong("used"),
                        row.getInt("init_floor"),
                        ResumeJson.read(row.getString("resume")),
                        row.getString("wanted_by")),
                row.getLong("reconnect_window_s") * 1_000);
    }
}
