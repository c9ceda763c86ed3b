package touchline.api.db;

import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import touchline.api.domain.Delivery;
import touchline.api.domain.Event;
import touchline.media.StreamId;

/** Deliveries as rows. */
final class DeliveryRows {
    /** To be sent in the order of its stream. */
    static final String WAITING = "waiting";

    /** To be sent without regard to others. */
    static final String UNORDERED = "apart";

    static final String SUCCEEDED = "succeeded";
    static final String FAILED = "failed";

    private DeliveryRows() {}

    /** An event for each of these endpoints, in the order of its stream. */
    static void insert(Handle handle, Event event, List<String> endpoints) {
        if (endpoints.isEmpty()) {
            return;
        }
        PreparedBatch batch = batch(handle);
        endpoints.forEach(endpoint -> add(batch, event, endpoint, WAITING, event.createdAt()));
        batch.execute();
    }

    /** Events for one endpoint, due now, without regard to others. */
    static void insertUnordered(Handle handle, List<Event> events, String endpoint, Instant now) {
        if (events.isEmpty()) {
            return;
        }
        PreparedBatch batch = batch(handle);
        events.forEach(event -> add(batch, event, endpoint, UNORDERED, now));
        batch.execute();
    }

    private static PreparedBatch batch(Handle handle) {
        return handle.prepareBatch(
                """
                INSERT INTO deliveries (id, place, endpoint_id, stream_id, status, tries, attempts,
                    due_at_ms, created_at_ms)
                VALUES (:id, :place, :endpoint, :stream, :status, 0, 0, :due, :created)
                """);
    }

    private static void add(
            PreparedBatch batch, Event event, String endpoint, String status, Instant due) {
        batch.bind("id", Delivery.newId())
                .bind("place", event.place())
                .bind("endpoint", endpoint)
                .bind("stream", event.stream().map(StreamId::value).orElse(Outbox.NO_STREAM))
                .bind("status", status)
                .bind("due", due.toEpochMilli())
                .bind("created", event.createdAt().toEpochMilli())
                .add();
    }
}
