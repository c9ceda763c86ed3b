package touchline.api.db;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.RandomText;

/**
 * Creating calls by their {@code Idempotency-Key}. The first one runs. Its reply is stored for 24 h
 * and answers the others. Of concurrent calls at most one creates something:
 *
 * <pre>
 *   claim ─ Mine ──► transaction { create; complete }   failure: release
 *         ├ Running     another call runs (the client tries again later)
 *         ├ Done        its reply
 *         └ OtherBody   the key was used with another body
 * </pre>
 *
 * {@link #complete} runs in the transaction of the creation. A call that lost its claim to another
 * one after {@link #ABANDONED} rolls back. Calls block; any thread.
 */
public final class IdempotencyRepository {
    /** How long a reply is kept. */
    public static final Duration KEPT = Duration.ofHours(24);

    /** A call that runs longer, or ends with a crash, loses its claim to the next one. */
    public static final Duration ABANDONED = Duration.ofMinutes(2);

    /** The result of a claim. */
    public sealed interface Claim {
        /** This call is the first: it does the work. */
        record Mine(String requestHash, String claim) implements Claim {}

        /** The first call still runs. */
        record Running() implements Claim {}

        /**
         * The first call has been answered.
         *
         * @param status HTTP status
         * @param reply as stored: no secrets inside
         */
        record Done(int status, String reply) implements Claim {}

        /** The key was used with another body. */
        record OtherBody() implements Claim {}
    }

    private record Row(
            String bodyHash,
            String claim,
            Instant claimedAt,
            OptionalInt status,
            @Nullable String reply,
            Instant expiresAt) {}

    private static final int ATTEMPTS = 3;
    private static final int CLAIM_BITS = 128;

    private final Database database;

    public IdempotencyRepository(Database database) {
        this.database = database;
    }

    /**
     * Claims the key. Commits its own transaction.
     *
     * @param requestHash one text of at most 64 characters for token, method, path and key
     * @param bodyHash likewise for the body
     * @throws IllegalStateException inside a transaction
     */
    public Claim claim(String requestHash, String bodyHash, Instant now) {
        if (database.insideTransaction()) {
            throw new IllegalStateException("idempotency claim: inside a transaction");
        }
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Claim.Mine mine = new Claim.Mine(requestHash, RandomText.ofBits(CLAIM_BITS));
            if (insert(mine, bodyHash, now)) {
                return mine;
            }
            Optional<Claim> claim = takeOver(mine, bodyHash, now);
            if (claim.isPresent()) {
                return claim.get();
            }
            // The row was released, or expired, in between.
        }
        return new Claim.Running();
    }

    private boolean insert(Claim.Mine mine, String bodyHash, Instant now) {
        try {
            database.with(
                    handle ->
                            handle.createUpdate(
                                            """
                                            INSERT INTO idempotent_requests (request_hash, body_hash,
                                                claim, claimed_at_ms, expires_at_ms)
                                            VALUES (:request, :body, :claim, :now, :expires)
                                            """)
                                    .bind("request", mine.requestHash())
                                    .bind("body", bodyHash)
                                    .bind("claim", mine.claim())
                                    .bind("now", now.toEpochMilli())
                                    .bind("expires", now.plus(KEPT).toEpochMilli())
                                    .execute());
            return true;
        } catch (DatabaseException e) {
            if (Database.isUniqueViolation(e)) {
                return false;
            }
            throw e;
        }
    }

    /** The claim by the existing row; empty where it was deleted meanwhile. */
    private Optional<Claim> takeOver(Claim.Mine mine, String bodyHash, Instant now) {
        Optional<Row> found = find(mine.requestHash());
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Row row = found.get();
        boolean expired = !now.isBefore(row.expiresAt());
        if (!expired && !row.bodyHash().equals(bodyHash)) {
            return Optional.of(new Claim.OtherBody());
        }
        if (!expired && row.status().isPresent() && row.reply() != null) {
            return Optional.of(new Claim.Done(row.status().getAsInt(), row.reply()));
        }
        if (!expired && now.isBefore(row.claimedAt().plus(ABANDONED))) {
            return Optional.of(new Claim.Running());
        }
        return replace(mine, row.claim(), bodyHash, now) ? Optional.of(mine) : Optional.empty();
    }

    private Optional<Row> find(String requestHash) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        "SELECT * FROM idempotent_requests"
                                                + " WHERE request_hash = :request")
                                .bind("request", requestHash)
                                .map(
                                        (row, _) -> {
                                            int status = row.getInt("status");
                                            return new Row(
                                                    row.getString("body_hash"),
                                                    row.getString("claim"),
                                                    Instant.ofEpochMilli(
                                                            row.getLong("claimed_at_ms")),
                                                    status == 0
                                                            ? OptionalInt.empty()
                                                            : OptionalInt.of(status),
                                                    row.getString("reply"),
                                                    Instant.ofEpochMilli(
                                                            row.getLong("expires_at_ms")));
                                        })
                                .findOne());
    }

    private boolean replace(Claim.Mine mine, String before, String bodyHash, Instant now) {
        return database.with(
                handle ->
                        handle.createUpdate(
                                                """
                                                UPDATE idempotent_requests SET body_hash = :body,
                                                    claim = :claim, claimed_at_ms = :now, status = NULL,
                                                    reply = NULL, expires_at_ms = :expires
                                                WHERE request_hash = :request AND claim = :before
                                                """)
                                        .bind("request", mine.requestHash())
                                        .bind("before", before)
                                        .bind("body", bodyHash)
                                        .bind("claim", mine.claim())
                                        .bind("now", now.toEpochMilli())
                                        .bind("expires", now.plus(KEPT).toEpochMilli())
                                        .execute()
                                > 0);
    }

    /**
     * Stores the reply of the first call. Call it in the transaction of the creation.
     *
     * @param reply without secrets
     * @throws ClaimLostException when another call has the claim: roll back
     */
    public void complete(Claim.Mine mine, int status, String reply) {
        int changed =
                database.with(
                        handle ->
                                handle.createUpdate(
                                                """
                                                UPDATE idempotent_requests
                                                SET status = :status, reply = :reply
                                                WHERE request_hash = :request AND claim = :claim
                                                    AND status IS NULL
                                                """)
                                        .bind("request", mine.requestHash())
                                        .bind("claim", mine.claim())
                                        .bind("status", status)
                                        .bind("reply", reply)
                                        .execute());
        if (changed == 0) {
            throw new ClaimLostException();
        }
    }

    /** The first call created nothing. The next one with this key runs. */
    public void release(Claim.Mine mine) {
        database.with(
                handle ->
                        handle.createUpdate(
                                        """
                                        DELETE FROM idempotent_requests
                                        WHERE request_hash = :request AND claim = :claim
                                            AND status IS NULL
                                        """)
                                .bind("request", mine.requestHash())
                                .bind("claim", mine.claim())
                                .execute());
    }

    /**
     * Deletes expired replies.
     *
     * @param limit how many at most
     * @return their number
     */
    public int deleteExpired(Instant now, int limit) {
        return database.with(
                handle ->
                        handle.createUpdate(
                                        """
                                        DELETE FROM idempotent_requests WHERE request_hash IN (
                                            SELECT request_hash FROM idempotent_requests
                                            WHERE expires_at_ms \\< :now
                                            ORDER BY expires_at_ms LIMIT :limit)
                                        """)
                                .bind("now", now.toEpochMilli())
                                .bind("limit", limit)
                                .execute());
    }
}
