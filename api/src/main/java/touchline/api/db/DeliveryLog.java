package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import touchline.api.domain.Delivery;
import touchline.api.domain.DeliveryAttempt;
import touchline.api.domain.Event;
import touchline.api.domain.EventFilter;
import touchline.api.domain.EventType;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;

/** The log of deliveries, and requests to send them again. Calls block; any thread. */
public final class DeliveryLog {
    private static final int ROWS_AT_ONCE = 500;

    private static final String COLUMNS =
            """
            SELECT d.*, e.id AS event_id, e.type FROM deliveries d JOIN events e ON e.place = d.place
            """;

    private final Database database;

    public DeliveryLog(Database database) {
        this.database = database;
    }

    /** With their attempts; newest events first, stable. */
    public Page<Delivery> list(
            String endpoint, Optional<Delivery.Status> status, PageRequest request) {
        List<String> stored = stored(status);
        String where = " WHERE d.endpoint_id = :endpoint AND d.status IN (<stored>)";
        return database.inTransaction(
                handle -> {
                    long total =
                            handle.createQuery("SELECT COUNT(*) FROM deliveries d" + where)
                                    .bind("endpoint", endpoint)
                                    .bindList("stored", stored)
                                    .mapTo(Long.class)
                                    .one();
                    List<Delivery> rows =
                            handle.createQuery(
                                            COLUMNS
                                                    + where
                                                    + " ORDER BY d.place DESC"
                                                    + " LIMIT :limit OFFSET :offset")
                                    .bind("endpoint", endpoint)
                                    .bindList("stored", stored)
                                    .bind("limit", request.limit())
                                    .bind("offset", request.offset())
                                    .map((row, _) -> row(row))
                                    .list();
                    return Page.of(withAttempts(handle, rows), request, total);
                });
    }

    public Optional<Delivery> find(String endpoint, String delivery) {
        return database.inTransaction(
                handle ->
                        withAttempts(
                                        handle,
                                        handle.createQuery(
                                                        COLUMNS
                                                                + " WHERE d.endpoint_id = :endpoint"
                                                                + " AND d.id = :id")
                                                .bind("endpoint", endpoint)
                                                .bind("id", delivery)
                                                .map((row, _) -> row(row))
                                                .list())
                                .stream()
                                .findFirst());
    }

    /** The delivery of an event to an endpoint. */
    public Optional<Delivery> ofEvent(String endpoint, Event event) {
        return database.with(
                        handle ->
                                handle.createQuery(
                                                "SELECT id FROM deliveries WHERE endpoint_id = :e"
                                                        + " AND place = :place")
                                        .bind("e", endpoint)
                                        .bind("place", event.place())
                                        .mapTo(String.class)
                                        .findOne())
                .flatMap(id -> find(endpoint, id));
    }

    /**
     * Requests one delivery again: now, out of order, with a new retry schedule. False where it
     * does not exist.
     */
    public boolean replay(String endpoint, String delivery, Instant now) {
        return database.with(
                handle ->
                        handle.createUpdate(
                                                """
                                                UPDATE deliveries SET status = :unordered, tries = 0,
                                                    due_at_ms = :now, finished_at_ms = NULL
                                                WHERE endpoint_id = :endpoint AND id = :id
                                                """)
                                        .bind("unordered", DeliveryRows.UNORDERED)
                                        .bind("now", now.toEpochMilli())
                                        .bind("endpoint", endpoint)
                                        .bind("id", delivery)
                                        .execute()
                                > 0);
    }

    /** Requests all failed deliveries of a time range again. Returns their number. */
    public int replayFailed(String endpoint, Instant from, Instant to, Instant now) {
        return database.with(
                handle ->
                        handle.createUpdate(
                                        """
                                        UPDATE deliveries SET status = :unordered, tries = 0,
                                            due_at_ms = :now, finished_at_ms = NULL
                                        WHERE endpoint_id = :endpoint AND status = :failed
                                            AND created_at_ms \\>= :from AND created_at_ms \\< :to
                                        """)
                                .bind("unordered", DeliveryRows.UNORDERED)
                                .bind("failed", DeliveryRows.FAILED)
                                .bind("now", now.toEpochMilli())
                                .bind("endpoint", endpoint)
                                .bind("from", from.toEpochMilli())
                                .bind("to", to.toEpochMilli())
                                .execute());
    }

    /**
     * Requests all subscribed events of a time range again: delivered, failed, and those from
     * before the endpoint existed or while it was disabled. Pending deliveries do not change. It
     * works in small batches, so a large range locks nothing for long.
     *
     * @return how many
     */
    public int replayAll(
            String endpoint, EventFilter filter, Instant from, Instant to, Instant now) {
        int replayed = 0;
        long after = 0;
        while (true) {
            List<Event> part = events(from, to, after);
            if (part.isEmpty()) {
                return replayed;
            }
            after = part.getLast().place();
            List<Event> wanted =
                    part.stream().filter(e -> filter.accepts(e.type(), e.stream())).toList();
            if (!wanted.isEmpty()) {
                replayed += database.inTransaction(h -> replay(h, endpoint, wanted, now));
            }
        }
    }

    private List<Event> events(Instant from, Instant to, long after) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        """
                                        SELECT * FROM events
                                        WHERE place \\> :after AND created_at_ms \\>= :from
                                            AND created_at_ms \\< :to AND type \\<> :test
                                        ORDER BY place LIMIT :limit
                                        """)
                                .bind("after", after)
                                .bind("from", from.toEpochMilli())
                                .bind("to", to.toEpochMilli())
                                .bind("test", EventType.WEBHOOK_TEST.wireName())
                                .bind("limit", ROWS_AT_ONCE)
                                .map((row, _) -> EventRows.event(row))
                                .list());
    }

    private static int replay(Handle handle, String endpoint, List<Event> events, Instant now) {
        List<Long> places = events.stream().map(Event::place).toList();
        Set<Long> known =
                handle
                        .createQuery(
                                "SELECT place FROM deliveries WHERE endpoint_id = :endpoint"
                                        + " AND place IN (<places>)")
                        .bind("endpoint", endpoint)
                        .bindList("places", places)
                        .mapTo(Long.class)
                        .list()
                        .stream()
                        .collect(Collectors.toSet());
        int again =
                handle.createUpdate(
                                """
                                UPDATE deliveries SET status = :unordered, tries = 0,
                                    due_at_ms = :now, finished_at_ms = NULL
                                WHERE endpoint_id = :endpoint AND place IN (<places>)
                                    AND status IN (:succeeded, :failed)
                                """)
                        .bind("unordered", DeliveryRows.UNORDERED)
                        .bind("succeeded", DeliveryRows.SUCCEEDED)
                        .bind("failed", DeliveryRows.FAILED)
                        .bind("now", now.toEpochMilli())
                        .bind("endpoint", endpoint)
                        .bindList("places", places)
                        .execute();
        List<Event> missed = events.stream().filter(e -> !known.contains(e.place())).toList();
        DeliveryRows.insertUnordered(handle, missed, endpoint, now);
        return again + missed.size();
    }

    private static List<String> stored(Optional<Delivery.Status> status) {
        if (status.isEmpty()) {
            return List.of(
                    DeliveryRows.WAITING,
                    DeliveryRows.UNORDERED,
                    DeliveryRows.SUCCEEDED,
                    DeliveryRows.FAILED);
        }
        return switch (status.get()) {
            case PENDING -> List.of(DeliveryRows.WAITING, DeliveryRows.UNORDERED);
            case SUCCEEDED -> List.of(DeliveryRows.SUCCEEDED);
            case FAILED -> List.of(DeliveryRows.FAILED);
        };
    }

    /** Without its attempts. */
    private static Delivery row(ResultSet row) throws SQLException {
        // Both pending states are one state in the log.
        Delivery.Status status =
                Delivery.Status.of(row.getString("status")).orElse(Delivery.Status.PENDING);
        long finishedMs = row.getLong("finished_at_ms");
        Optional<Instant> finished =
                row.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(finishedMs));
        return new Delivery(
                row.getString("id"),
                row.getString("event_id"),
                EventType.of(row.getString("type")).orElseThrow(),
                status,
                Instant.ofEpochMilli(row.getLong("created_at_ms")),
                Instant.ofEpochMilli(row.getLong("due_at_ms")),
                finished,
                List.of());
    }

    private static List<Delivery> withAttempts(Handle handle, List<Delivery> rows) {
        if (rows.isEmpty()) {
            return List.of();
        }
        Map<String, List<DeliveryAttempt>> attempts = new HashMap<>();
        handle.createQuery(
                        "SELECT * FROM delivery_attempts WHERE delivery_id IN (<ids>)"
                                + " ORDER BY number")
                .bindList("ids", rows.stream().map(Delivery::id).toList())
                .map((row, _) -> Map.entry(row.getString("delivery_id"), attempt(row)))
                .forEach(
                        entry ->
                                attempts.computeIfAbsent(entry.getKey(), _ -> new ArrayList<>())
                                        .add(entry.getValue()));
        return rows.stream().map(d -> d.with(attempts.getOrDefault(d.id(), List.of()))).toList();
    }

    private static DeliveryAttempt attempt(ResultSet row) throws SQLException {
        int httpStatus = row.getInt("http_status");
        OptionalInt status = row.wasNull() ? OptionalInt.empty() : OptionalInt.of(httpStatus);
        return new DeliveryAttempt(
                row.getInt("number"),
                Instant.ofEpochMilli(row.getLong("at_ms")),
                Duration.ofMillis(row.getLong("duration_ms")),
                status,
                Optional.ofNullable(row.getString("error")),
                row.getString("request_head"),
                Optional.ofNullable(row.getString("response_head")),
                Optional.ofNullable(row.getString("response_body")));
    }
}
