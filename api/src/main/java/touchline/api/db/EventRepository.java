package touchline.api.db;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import touchline.api.domain.Event;
import touchline.api.domain.EventType;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.media.StreamId;

/** The log of events. Calls block; any thread. */
public final class EventRepository {
    private final Database database;

    public EventRepository(Database database) {
        this.database = database;
    }

    /** Selects events; empty: all. */
    public record Choice(Optional<EventType> type, Optional<StreamId> stream) {
        public static final Choice ALL = new Choice(Optional.empty(), Optional.empty());

        private String where() {
            List<String> conditions = new ArrayList<>();
            type.ifPresent(_ -> conditions.add("type = :type"));
            stream.ifPresent(_ -> conditions.add("stream_id = :stream"));
            return conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
        }

        private Query bind(Query query) {
            type.ifPresent(it -> query.bind("type", it.wireName()));
            stream.ifPresent(it -> query.bind("stream", it.value()));
            return query;
        }
    }

    /** Newest first, stable. */
    public Page<Event> list(Choice choice, PageRequest request) {
        return database.inTransaction(
                handle ->
                        new PagedQuery("*", "events" + choice.where(), "place DESC", choice::bind)
                                .read(handle, request, (row, _) -> EventRows.event(row)));
    }

    public Optional<Event> find(String id) {
        return database.with(
                handle ->
                        handle.createQuery("SELECT * FROM events WHERE id = :id")
                                .bind("id", id)
                                .map((row, _) -> EventRows.event(row))
                                .findOne());
    }

    /** Events behind a place, oldest first. */
    public List<Event> after(long place, int limit) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        """
                                        SELECT * FROM events WHERE place \\> :place
                                        ORDER BY place LIMIT :limit
                                        """)
                                .bind("place", place)
                                .bind("limit", limit)
                                .map((row, _) -> EventRows.event(row))
                                .list());
    }

    /** Places behind a place, in their order. */
    public List<Long> placesAfter(long place) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        "SELECT place FROM events WHERE place \\> :place"
                                                + " ORDER BY place")
                                .bind("place", place)
                                .mapTo(Long.class)
                                .list());
    }

    /** The newest place; 0 without events. */
    public long newestPlace() {
        return database.with(
                handle ->
                        handle.createQuery("SELECT COALESCE(MAX(place), 0) FROM events")
                                .mapTo(Long.class)
                                .one());
    }

    /**
     * The events at these places, in their order.
     *
     * @param places at least one
     */
    public List<Event> at(List<Long> places) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        "SELECT * FROM events WHERE place IN (<places>)"
                                                + " ORDER BY place")
                                .bindList("places", places)
                                .map((row, _) -> EventRows.event(row))
                                .list());
    }

    /**
     * Deletes a batch beyond the log's age or number: first deliveries, then events without one.
     * Pending deliveries of enabled endpoints stay.
     *
     * @param before older events are deleted
     * @param most maximum number of events; the oldest are deleted
     * @param limit maximum rows of each kind in this call
     * @return deleted rows; call again while this is more than 0
     */
    public int trim(Instant before, long most, int limit) {
        return database.inTransaction(
                handle -> {
                    long place = placeBeyond(handle, most);
                    int deliveries = trimDeliveries(handle, before, place, limit);
                    int events =
                            handle.createUpdate(
                                            """
                                            DELETE FROM events WHERE place IN (
                                                SELECT e.place FROM events e
                                                WHERE (e.created_at_ms \\< :before
                                                        OR e.place \\<= :place)
                                                    AND NOT EXISTS (SELECT 1 FROM deliveries d
                                                        WHERE d.place = e.place)
                                                ORDER BY e.place LIMIT :limit)
                                            """)
                                    .bind("before", before.toEpochMilli())
                                    .bind("place", place)
                                    .bind("limit", limit)
                                    .execute();
                    return deliveries + events;
                });
    }

    /** The newest place beyond the maximum number; 0 where there is none. */
    private static long placeBeyond(Handle handle, long most) {
        return handle.createQuery("SELECT place FROM events ORDER BY place DESC LIMIT 1 OFFSET :m")
                .bind("m", most)
                .mapTo(Long.class)
                .findOne()
                .orElse(0L);
    }

    private static int trimDeliveries(Handle handle, Instant before, long place, int limit) {
        return handle.createUpdate(
                        """
                        DELETE FROM deliveries WHERE id IN (
                            SELECT d.id FROM deliveries d
                            LEFT JOIN webhook_endpoints w ON w.id = d.endpoint_id
                            WHERE (d.created_at_ms \\< :before OR d.place \\<= :place)
                                AND (d.finished_at_ms IS NOT NULL OR w.id IS NULL
                                    OR w.disabled_reason IS NOT NULL)
                            ORDER BY d.place LIMIT :limit)
                        """)
                .bind("before", before.toEpochMilli())
                .bind("place", place)
                .bind("limit", limit)
                .execute();
    }

    /** Deletes deliveries of deleted endpoints, and the numbers of deleted streams. */
    public int trimForgotten(int limit) {
        return database.inTransaction(
                handle -> {
                    int deliveries =
                            handle.createUpdate(
                                            """
                                            DELETE FROM deliveries WHERE id IN (
                                                SELECT d.id FROM deliveries d
                                                WHERE NOT EXISTS (SELECT 1
                                                    FROM webhook_endpoints w
                                                    WHERE w.id = d.endpoint_id)
                                                ORDER BY d.id LIMIT :limit)
                                            """)
                                    .bind("limit", limit)
                                    .execute();
                    int numbers =
                            handle.createUpdate(
                                            """
                                            DELETE FROM event_streams WHERE stream_id IN (
                                                SELECT s.stream_id FROM event_streams s
                                                WHERE s.stream_id \\<> ''
                                                    AND NOT EXISTS (SELECT 1 FROM live_streams l
                                                        WHERE l.id = s.stream_id)
                                                    AND NOT EXISTS (SELECT 1 FROM assets a
                                                        WHERE a.stream_id = s.stream_id)
                                                    AND NOT EXISTS (SELECT 1 FROM events e
                                                        WHERE e.stream_id = s.stream_id)
                                                ORDER BY s.stream_id LIMIT :limit)
                                            """)
                                    .bind("limit", limit)
                                    .execute();
                    return deliveries + numbers;
                });
    }
}
