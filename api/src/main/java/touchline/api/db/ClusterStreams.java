package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import touchline.api.domain.ActiveSession;
import touchline.media.SessionId;
import touchline.media.StreamId;

/**
 * Which node of a cluster works with a stream, and which streams are active at any of them: as the
 * rows of the owners say whose lease is good. Reads only. Calls block; any thread.
 */
public final class ClusterStreams {
    private static final String FROM_OWNERS =
            " FROM stream_owners o JOIN nodes n ON n.id = o.node_id"
                    + " AND n.incarnation = o.incarnation AND n.state \\<> 'gone'"
                    + " AND n.lease_until_ms \\>= "
                    + LeaseConnection.NOW;

    private static final String ACTIVE =
            " o.session_id IS NOT NULL AND o.phase IN ('publishing', 'interrupted')";

    private final Database database;

    public ClusterStreams(Database database) {
        this.database = database;
    }

    /** The id of the node that works with a stream; empty while none does that is alive. */
    public Optional<String> owner(StreamId stream) {
        return database.with(
                handle ->
                        handle.createQuery("SELECT n.id" + FROM_OWNERS + " WHERE o.stream_id = :id")
                                .bind("id", stream.value())
                                .mapTo(String.class)
                                .findOne());
    }

    /** The active ones of these streams, with their sessions. */
    public Map<StreamId, ActiveSession> active(Collection<StreamId> streams) {
        if (streams.isEmpty()) {
            return Map.of();
        }
        List<String> ids = streams.stream().map(StreamId::value).toList();
        return database.with(
                handle ->
                        handle
                                .createQuery(
                                        "SELECT o.*"
                                                + FROM_OWNERS
                                                + " WHERE o.stream_id IN (<ids>) AND"
                                                + ACTIVE)
                                .bindList("ids", ids)
                                .map((row, _) -> row(row))
                                .stream()
                                .collect(
                                        HashMap::new,
                                        (all, each) -> all.put(each.getKey(), each.getValue()),
                                        Map::putAll));
    }

    /** The session of a stream that has not ended, also while no node works with it. */
    public Optional<SessionId> unended(StreamId stream) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        "SELECT o.session_id FROM stream_owners o"
                                                + " WHERE o.stream_id = :id AND"
                                                + ACTIVE)
                                .bind("id", stream.value())
                                .mapTo(String.class)
                                .map(SessionId::new)
                                .findOne());
    }

    /** All active streams. */
    public Set<StreamId> active() {
        return database.with(
                handle ->
                        handle
                                .createQuery("SELECT o.stream_id" + FROM_OWNERS + " WHERE" + ACTIVE)
                                .mapTo(String.class)
                                .stream()
                                .map(StreamId::new)
                                .collect(Collectors.toSet()));
    }

    private static Map.Entry<StreamId, ActiveSession> row(ResultSet row) throws SQLException {
        boolean isAway = row.getString("phase").equals("interrupted");
        Instant changed = Instant.ofEpochMilli(row.getLong("changed_at_ms"));
        return Map.entry(
                new StreamId(row.getString("stream_id")),
                new ActiveSession(
                        new SessionId(row.getString("session_id")),
                        isAway ? Optional.of(changed) : Optional.empty()));
    }
}
