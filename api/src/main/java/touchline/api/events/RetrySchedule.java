package touchline.api.events;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.DeliveryOutcome.Next;
import touchline.api.domain.RetryPauses;

/**
 * When a delivery that failed is tried again, and what the events behind it do meanwhile. Some
 * three days in all. Immutable; any thread.
 */
final class RetrySchedule {
    /** Later events of the stream wait for so many retries; after that they pass. */
    private static final int RETRIES_IN_ORDER = 2;

    /** So that receivers which failed together are not asked together. */
    private static final double JITTER = 0.1;

    private static final Duration LONGEST_REQUEST = Duration.ofHours(24);

    private final DoubleSupplier random;

    /**
     * @param random 0 to 1
     */
    RetrySchedule(DoubleSupplier random) {
        this.random = random;
    }

    /** How a delivery goes on that has failed. */
    record Step(Next next, Instant dueAt) {}

    /**
     * @param tries how often it was sent, the failure included
     * @param retryAfter what the receiver answered under that name
     */
    Step after(int tries, Instant now, @Nullable String retryAfter) {
        if (tries > RetryPauses.ALL.size()) {
            return new Step(Next.FAILED, now);
        }
        Duration pause = RetryPauses.ALL.get(tries - 1);
        Duration jittered =
                pause.plusMillis((long) (pause.toMillis() * JITTER * random.getAsDouble()));
        Duration asked =
                Optional.ofNullable(retryAfter)
                        .flatMap(text -> asked(text, now))
                        .orElse(Duration.ZERO);
        Duration bounded = asked.compareTo(LONGEST_REQUEST) > 0 ? LONGEST_REQUEST : asked;
        Duration longer = bounded.compareTo(jittered) > 0 ? bounded : jittered;
        return new Step(tries <= RETRIES_IN_ORDER ? Next.WAITS : Next.APART, now.plus(longer));
    }

    /** Seconds, or a date (RFC 9110, 10.2.3); anything else says nothing. */
    private static Optional<Duration> asked(String text, Instant now) {
        String value = text.strip();
        if (value.matches("\\d{1,9}")) {
            return Optional.of(Duration.ofSeconds(Long.parseLong(value)));
        }
        try {
            Instant at =
                    ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
            return Optional.of(Duration.between(now, at));
        } catch (DateTimeParseException _) {
            return Optional.empty();
        }
    }
}
