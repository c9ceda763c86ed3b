package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.statement.Query;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.domain.PublishTerms;
import touchline.api.domain.PushRole;
import touchline.media.StreamId;
import touchline.media.hub.FailoverSettings;

/**
 * The streams that nodes of a cluster work with, and the hashes of their push keys. Keys themselves
 * are not opened. Reads only. Calls block; any thread.
 */
public final class ActiveStreamRepository implements ActiveStreamRows {
    private static final String ACTIVE =
            "o.node_id IS NOT NULL AND o.session_id IS NOT NULL AND NOT s.disabled";

    private static final String ROWS =
            """
            SELECT o.stream_id, o.epoch, o.node_id, o.incarnation, s.reconnect_window_s,
                s.failover_after_ms, s.failback_after_ms, k.key_hash, k.push_role
            FROM stream_owners o JOIN live_streams s ON s.id = o.stream_id
                JOIN stream_keys k ON k.stream_id = o.stream_id WHERE
            """;

    private final Database database;

    public ActiveStreamRepository(Database database) {
        this.database = database;
    }

    private record Row(
            StreamId stream, NodeRef owner, long epoch, String keyHash, PublishTerms terms) {}

    @Override
    public List<ActiveStream> all(int limit) {
        return read(
                ROWS
                        + " o.stream_id IN (SELECT o.stream_id FROM stream_owners o"
                        + " JOIN live_streams s ON s.id = o.stream_id WHERE "
                        + ACTIVE
                        + " ORDER BY o.changed_at_ms DESC LIMIT :limit) AND "
                        + ACTIVE,
                query -> query.bind("limit", limit));
    }

    @Override
    public List<ActiveStream> of(Collection<StreamId> streams) {
        List<String> ids = streams.stream().map(StreamId::value).toList();
        return read(
                ROWS + " o.stream_id = ANY (:streams) AND " + ACTIVE,
                query -> query.bindArray("streams", String.class, ids));
    }

    @FunctionalInterface
    private interface Binding {
        Query bind(Query query);
    }

    private List<ActiveStream> read(String query, Binding binding) {
        List<Row> rows =
                database.with(
                        handle ->
                                binding.bind(handle.createQuery(query))
                                        .map((row, _) -> row(row))
                                        .list());
        Map<StreamId, List<Row>> byStream = new HashMap<>();
        rows.forEach(
                row -> byStream.computeIfAbsent(row.stream(), _ -> new ArrayList<>()).add(row));
        return byStream.values().stream().map(ActiveStreamRepository::stream).toList();
    }

    private static ActiveStream stream(List<Row> rows) {
        Map<String, PublishTerms> keys = new HashMap<>();
        rows.forEach(row -> keys.put(row.keyHash(), row.terms()));
        Row first = rows.getFirst();
        return new ActiveStream(first.stream(), first.owner(), first.epoch(), keys);
    }

    private static Row row(ResultSet row) throws SQLException {
        StreamId stream = new StreamId(row.getString("stream_id"));
        FailoverSettings failover = FailoverRows.read(row);
        return new Row(
                stream,
                new NodeRef(row.getString("node_id"), row.getLong("incarnation")),
                row.getLong("epoch"),
                row.getString("key_hash"),
                new PublishTerms(
                        stream,
                        PushRole.valueOf(row.getString("push_role")),
                        Duration.ofSeconds(row.getInt("reconnect_window_s")),
                        failover));
    }
}
