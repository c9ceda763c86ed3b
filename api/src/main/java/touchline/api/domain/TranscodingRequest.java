package touchline.api.domain;

import java.net.URI;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Outputs that were asked for together: one input, one notification. Immutable.
 *
 * @param notifyUrl who is told, as it was when the request was made
 * @param notice what has become of telling
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

    /** What has become of the notification. */
    public enum Notice {
        /** Tasks are not over. */
        WAITING,
        /** To be sent, for the first time or again. */
        PENDING,
        /** The receiver has acknowledged it. */
        DELIVERED,
        /** Given up after the last retry. */
        FAILED;

        public String wireName() {
            return WireNames.lowerCase(this);
        }

        public static Optional<Notice> of(String wireName) {
            return WireNames.find(Notice.class, wireName);
        }
    }

    /**
     * One try to tell, as its log shows it.
     *
     * @param number from 1
     * @param httpStatus 0 where no answer came
     * @param error empty where it was accepted
     */
    public record Attempt(int number, Instant at, long durationMs, int httpStatus, String error) {
        public Attempt {
            at = at.truncatedTo(ChronoUnit.MILLIS);
        }
    }

    /**
     * How it was told.
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
