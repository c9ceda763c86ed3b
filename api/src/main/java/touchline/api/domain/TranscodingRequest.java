package touchline.api.domain;

import java.net.URI;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Outputs of one request: one input, one notification. Immutable.
 *
 * @param notifyUrl the storage's address for notifications at the time of the request
 * @param notice state of the notification
 * @param createdAt cut to milliseconds
 */
public record TranscodingRequest(
        String id,
        String storageId,
        String input,
        URI notifyUrl,
        Notice notice,
        Instant createdAt) {
    private static final int RANDOM_BITS = 96;

    public TranscodingRequest {
        createdAt = createdAt.truncatedTo(ChronoUnit.MILLIS);
    }

    /** State of the notification. */
    public enum Notice {
        /** Tasks have not ended. */
        WAITING,
        /** Waits for its first try or a retry. */
        PENDING,
        /** The receiver has acknowledged it. */
        DELIVERED,
        /** The last retry failed. */
        FAILED;

        public String wireName() {
            return WireNames.lowerCase(this);
        }

        public static Optional<Notice> of(String wireName) {
            return WireNames.find(Notice.class, wireName);
        }
    }

    /**
     * One try to notify, as its log shows it.
     *
     * @param number from 1
     * @param httpStatus 0 without an answer
     * @param error empty after success
     */
    public record Attempt(int number, Instant at, long durationMs, int httpStatus, String error) {
        public Attempt {
            at = at.truncatedTo(ChronoUnit.MILLIS);
        }
    }

    /**
     * The log of a notification.
     *
     * @param attempts oldest first, bounded
     */
    public record Log(Notice notice, List<Attempt> attempts) {
        public Log {
            attempts = List.copyOf(attempts);
        }
    }

    /** A new identifier; not secret. */
    public static String newId() {
        return "treq_" + RandomText.ofBits(RANDOM_BITS);
    }

    public TranscodingRequest with(Notice newNotice) {
        return new TranscodingRequest(id, storageId, input, notifyUrl, newNotice, createdAt);
    }
}
