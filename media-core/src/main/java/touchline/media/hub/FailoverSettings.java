package touchline.media.hub;

import java.time.Duration;

/**
 * When a session with two publishers switches between them. Immutable.
 *
 * @param failoverAfter silence of the publisher that is shown, after which the other one is: 0.5 to
 *     10 s
 * @param failbackAfter how long the preferred publisher must have sent without a pause before it is
 *     shown again: 0 to 3600 s; zero: only by hand
 */
public record FailoverSettings(Duration failoverAfter, Duration failbackAfter) {
    public static final Duration MIN_FAILOVER = Duration.ofMillis(500);
    public static final Duration MAX_FAILOVER = Duration.ofSeconds(10);
    public static final Duration MAX_FAILBACK = Duration.ofHours(1);

    public static final FailoverSettings DEFAULTS =
            new FailoverSettings(Duration.ofSeconds(1), Duration.ofSeconds(10));

    public FailoverSettings {
        if (failoverAfter.compareTo(MIN_FAILOVER) < 0
                || failoverAfter.compareTo(MAX_FAILOVER) > 0) {
            throw new IllegalArgumentException(
                    "failover_after: " + failoverAfter + " (expected: 0.5 to 10 s)");
        }
        if (failbackAfter.isNegative() || failbackAfter.compareTo(MAX_FAILBACK) > 0) {
            throw new IllegalArgumentException(
                    "failback_after: " + failbackAfter + " (expected: 0 to 3600 s)");
        }
    }
}
