package touchline.api.domain;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The pauses before retries of webhooks and notifications: about three days in all. Immutable; any
 * thread.
 */
public final class RetryPauses {
    /** One for each retry. */
    private static final List<Duration> PAUSES =
            List.of(
                    Duration.ofSeconds(5),
                    Duration.ofMinutes(5),
                    Duration.ofMinutes(30),
                    Duration.ofHours(2),
                    Duration.ofHours(5),
                    Duration.ofHours(10),
                    Duration.ofHours(14),
                    Duration.ofHours(20),
                    Duration.ofHours(24));

    /** Spreads retries of requests that failed at the same time. */
    private static final double JITTER = 0.1;

    private static final Duration LONGEST_REQUEST = Duration.ofHours(24);

    private final DoubleSupplier random;

    /**
     * @param random 0 to 1
     */
    public RetryPauses(DoubleSupplier random) {
        this.random = random;
    }

    /**
     * The pause after a failure, or a longer one that the receiver asked for. Empty after the last
     * retry.
     *
     * @param tries attempts so far, this failure included
     * @param retryAfter the header {@code Retry-After} of the answer
     */
    public Optional<Duration> after(int tries, Instant now, @Nullable String retryAfter) {
        if (tries > PAUSES.size()) {
            return Optional.empty();
        }
        Duration pause = PAUSES.get(tries - 1);
        Duration jittered =
                pause.plusMillis((long) (pause.toMillis() * JITTER * random.getAsDouble()));
        Duration asked =
                Optional.ofNullable(retryAfter)
                        .flatMap(text -> asked(text, now))
                        .orElse(Duration.ZERO);
        Duration bounded = asked.compareTo(LONGEST_REQUEST) > 0 ? LONGEST_REQUEST : asked;
        return Optional.of(bounded.compareTo(jittered) > 0 ? bounded : jittered);
    }

    /** Seconds, or a date (RFC 9110, 10.2.3); anything else is ignored. */
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
