package touchline.api.db;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.moderation.AlertType;

/**
 * Selects and orders moderation records of a list. Immutable.
 *
 * @param session of this one only
 * @param stream of this one only
 * @param alert with an alert of this type only
 * @param reviewed only those that a person has decided (true), or has not (false)
 * @param search a text that title, metadata or id of the live stream contain
 * @param from captured at this time or later
 * @param after only records behind this one in the order of the list, which may be deleted
 */
public record RecordFilter(
        Optional<SessionId> session,
        Optional<StreamId> stream,
        Optional<AlertType> alert,
        Optional<Boolean> reviewed,
        Optional<String> search,
        Optional<Instant> from,
        OptionalLong after,
        Order order) {
    /** All records, newest first. */
    public static final RecordFilter ALL = of(Optional.empty(), Optional.empty());

    /** The orders of the list. Ids rise with time. */
    public enum Order {
        NEWEST("id DESC", "id < :after"),
        OLDEST("id", "id > :after");

        private final String sql;
        private final String behind;

        Order(String sql, String behind) {
            this.sql = sql;
            this.behind = behind;
        }

        String sql() {
            return sql;
        }
    }

    /** Of a session, with an alert, newest first. */
    public static RecordFilter of(Optional<SessionId> session, Optional<AlertType> alert) {
        return new RecordFilter(
                session,
                Optional.empty(),
                alert,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                Order.NEWEST);
    }

    /** The table with the condition; {@link #bound} has its parameters. */
    String table() {
        List<String> conditions = new ArrayList<>();
        session.ifPresent(_ -> conditions.add("session_id = :session"));
        stream.ifPresent(_ -> conditions.add("stream_id = :stream"));
        alert.ifPresent(_ -> conditions.add("alert_types LIKE :alert"));
        reviewed.ifPresent(is -> conditions.add("review_at_ms IS " + (is ? "NOT NULL" : "NULL")));
        search.ifPresent(_ -> conditions.add(TextSearch.inRowOrStream("stream_id")));
        from.ifPresent(_ -> conditions.add("captured_at_ms >= :from"));
        after.ifPresent(_ -> conditions.add(order.behind));
        return "moderation_records"
                + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions));
    }

    Map<String, Object> bound() {
        Map<String, Object> bound = new LinkedHashMap<>();
        session.ifPresent(id -> bound.put("session", id.value()));
        stream.ifPresent(id -> bound.put("stream", id.value()));
        alert.ifPresent(type -> bound.put("alert", "%" + AlertTypes.pattern(type) + "%"));
        search.ifPresent(text -> bound.put(TextSearch.PARAMETER, new TextSearch(text).pattern()));
        from.ifPresent(at -> bound.put("from", at.toEpochMilli()));
        after.ifPresent(id -> bound.put("after", id));
        return bound;
    }
}
