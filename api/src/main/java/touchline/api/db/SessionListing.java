package touchline.api.db;

import java.util.Optional;
import touchline.media.StreamId;

/**
 * Selects sessions of a list. Immutable.
 *
 * @param stream of this live stream only
 * @param running only those that run (true), or have ended (false)
 * @param search a text that the session's id, or title, metadata or id of its live stream contain
 */
public record SessionListing(
        Optional<StreamId> stream, Optional<Boolean> running, Optional<String> search) {
    String where() {
        StringBuilder where = new StringBuilder(" WHERE 1 = 1");
        stream.ifPresent(_ -> where.append(" AND stream_id = :stream"));
        running.ifPresent(
                is -> where.append(" AND ended_at_ms IS ").append(is ? "NULL" : "NOT NULL"));
        search.ifPresent(
                _ -> where.append(" AND ").append(TextSearch.inRowOrStream("id", "stream_id")));
        return where.toString();
    }
}
