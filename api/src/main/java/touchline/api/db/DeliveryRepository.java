package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;
import touchline.api.domain.DeliveryAttempt;
import touchline.api.domain.DeliveryOutcome;
import touchline.api.domain.DueDelivery;

/**
 * Pending deliveries of endpoints, and their results. A stream is named by its id. Events without a
 * live stream have the empty text. Calls block; any thread.
 */
public final class DeliveryRepository {
    /** Stored attempts of one delivery. */
    private static final int ATTEMPTS_KEPT = 50;

    private static final String PENDING =
            """
            SELECT d.id AS delivery_id, d.status, d.tries, d.attempts, d.due_at_ms, e.* FROM deliveries d
            JOIN events e ON e.place = d.place
            WHERE d.endpoint_id = :endpoint AND d.status = :status
            """;

    private final Database database;

    public DeliveryRepository(Database database) {
        this.database = database;
    }

    /** The streams with waiting deliveries of an endpoint. */
    public List<String> waitingStreams(String endpoint) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        """
                                        SELECT DISTINCT stream_id FROM deliveries
                                        WHERE endpoint_id = :endpoint AND status = :status
                                        """)
                                .bind("endpoint", endpoint)
                                .bind("status", DeliveryRows.WAITING)
                                .mapTo(String.class)
                                .list());
    }

    /** Waiting deliveries of a stream, due or not, in the order of its events. */
    public List<DueDelivery> waiting(String endpoint, String stream, int limit) {
        return pending(
                endpoint,
                DeliveryRows.WAITING,
                "AND d.stream_id = :stream ORDER BY d.place LIMIT :limit",
                query -> query.bind("stream", stream).bind("limit", limit));
    }

    /** Due deliveries that are sent out of order, the longest due first. */
    public List<DueDelivery> unordered(String endpoint, Instant now, int limit) {
        return pending(
                endpoint,
                DeliveryRows.UNORDERED,
                "AND d.due_at_ms \\<= :now ORDER BY d.due_at_ms, d.place LIMIT :limit",
                query -> query.bind("now", now.toEpochMilli()).bind("limit", limit));
    }

    /**
     * @param rest condition and order
     * @param bind names the parameters of the rest
     */
    private List<DueDelivery> pending(
            String endpoint, String status, String rest, UnaryOperator<Query> bind) {
        return database.with(
                handle ->
                        bind.apply(
                                        handle.createQuery(PENDING + rest)
                                                .bind("endpoint", endpoint)
                                                .bind("status", status))
                                .map((row, _) -> due(row))
                                .list());
    }

    /** The time of the next delivery that is sent out of order. */
    public Optional<Instant> nextUnordered(String endpoint) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        """
                                        SELECT due_at_ms FROM deliveries
                                        WHERE endpoint_id = :endpoint AND status = :status
                                        ORDER BY due_at_ms LIMIT 1
                                        """)
                                .bind("endpoint", endpoint)
                                .bind("status", DeliveryRows.UNORDERED)
                                .mapTo(Long.class)
                                .findOne()
                                .map(Instant::ofEpochMilli));
    }

    /** Creation time of the oldest pending delivery of all endpoints. */
    public Optional<Instant> oldestPending() {
        return database.with(
                        handle ->
                                handle.createQuery(
                                                """
                                                SELECT MIN(d.created_at_ms) FROM deliveries d
                                                JOIN webhook_endpoints w ON w.id = d.endpoint_id
                                                WHERE w.disabled_reason IS NULL
                                                    AND d.status IN (:waiting, :unordered)
                                                """)
                                        .bind("waiting", DeliveryRows.WAITING)
                                        .bind("unordered", DeliveryRows.UNORDERED)
                                        .mapTo(Long.class)
                                        .findOne())
                .map(Instant::ofEpochMilli);
    }

    /** Stores results of attempts. Deleted deliveries are skipped. */
    public void store(List<DeliveryOutcome> outcomes) {
        database.inTransaction(
                handle -> {
                    update(handle, outcomes);
                    insertAttempts(handle, outcomes);
                    trimAttempts(handle, outcomes);
                    return true;
                });
    }

    private static void update(Handle handle, List<DeliveryOutcome> outcomes) {
        PreparedBatch batch =
                handle.prepareBatch(
                        """
                        UPDATE deliveries SET status = :status, tries = :tries,
                            attempts = :attempts, due_at_ms = :due, finished_at_ms = :finished
                        WHERE id = :id
                        """);
        for (DeliveryOutcome outcome : outcomes) {
            DeliveryAttempt attempt = outcome.attempt();
            boolean over =
                    switch (outcome.next()) {
                        case SUCCEEDED, FAILED -> true;
                        case IN_ORDER, UNORDERED -> false;
                    };
            Long finishedMs = over ? attempt.at().plus(attempt.took()).toEpochMilli() : null;
            batch.bind("id", outcome.delivery())
                    .bind("status", status(outcome.next()))
                    .bind("tries", outcome.tries())
                    .bind("attempts", attempt.number())
                    .bind("due", outcome.dueAt().toEpochMilli())
                    .bind("finished", finishedMs)
                    .add();
        }
        batch.execute();
    }

    private static String status(DeliveryOutcome.Next next) {
        return switch (next) {
            case SUCCEEDED -> DeliveryRows.SUCCEEDED;
            case IN_ORDER -> DeliveryRows.WAITING;
            case UNORDERED -> DeliveryRows.UNORDERED;
            case FAILED -> DeliveryRows.FAILED;
        };
    }

    /** Joins the delivery: its endpoint may have been deleted meanwhile. */
    private static void insertAttempts(Handle handle, List<DeliveryOutcome> outcomes) {
        PreparedBatch batch =
                handle.prepareBatch(
                        """
                        INSERT INTO delivery_attempts (delivery_id, number, at_ms, duration_ms,
                            http_status, error, request_head, response_head, response_body)
                        SELECT id, CAST(:number AS INTEGER), CAST(:at AS BIGINT),
                            CAST(:took AS BIGINT), CAST(:status AS INTEGER),
                            CAST(:error AS VARCHAR), CAST(:request AS VARCHAR),
                            CAST(:response AS VARCHAR), CAST(:body AS VARCHAR)
                        FROM deliveries WHERE id = :id
                        """);
        for (DeliveryOutcome outcome : outcomes) {
            DeliveryAttempt attempt = outcome.attempt();
            Integer status =
                    attempt.httpStatus().isPresent() ? attempt.httpStatus().getAsInt() : null;
            batch.bind("id", outcome.delivery())
                    .bind("number", attempt.number())
                    .bind("at", attempt.at().toEpochMilli())
                    .bind("took", attempt.took().toMillis())
                    .bind("status", status)
                    .bind("error", attempt.error().orElse(null))
                    .bind("request", attempt.requestHead())
                    .bind("response", attempt.responseHead().orElse(null))
                    .bind("body", attempt.responseBody().orElse(null))
                    .add();
        }
        batch.execute();
    }

    private static void trimAttempts(Handle handle, List<DeliveryOutcome> outcomes) {
        for (DeliveryOutcome outcome : outcomes) {
            int oldest = outcome.attempt().number() - ATTEMPTS_KEPT;
            if (oldest > 0) {
                handle.createUpdate(
                                "DELETE FROM delivery_attempts"
                                        + " WHERE delivery_id = :id AND number \\<= :oldest")
                        .bind("id", outcome.delivery())
                        .bind("oldest", oldest)
                        .execute();
            }
        }
    }

    private static DueDelivery due(ResultSet row) throws SQLException {
        return new DueDelivery(
                row.getString("delivery_id"),
                EventRows.event(row),
                row.getString("status").equals(DeliveryRows.UNORDERED),
                row.getInt("tries"),
                row.getInt("attempts"),
                Instant.ofEpochMilli(row.getLong("due_at_ms")));
    }
}
