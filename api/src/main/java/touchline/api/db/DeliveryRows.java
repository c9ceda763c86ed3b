package touchline.api.db;

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
    static final String APART = "apart";

    static final String SUCCEEDED = "succeeded";
    static final String FAILED = "failed";

    private DeliveryRows() {}

    static void insert(Handle handle, Event event, List<String> endpoints) {
        if (endpoints.isEmpty()) {
            return;
        }
        PreparedBatch batch =
                handle.prepareBatch(
                        """
                        INSERT INTO deliveries (id, place, endpoint_id, stream_id, status, tries,
                            attempts, due_at_ms, created_at_ms)
                        VALUES (:id, :place, :endpoint, :stream, :status, 0, 0, :at, :at)
                        """);
        for (String endpoint : endpoints) {
            batch.bind("id", Delivery.newId())
                    .bind("place", event.place())
                    .bind("endpoint", endpoint)
                    .bind("stream", event.stream().map(StreamId::value).orElse(Outbox.NO_STREAM))
                    .bind("status", WAITING)
                    .bind("at", event.createdAt().toEpochMilli())
                    .add();
        }
        batch.execute();
    }
}
