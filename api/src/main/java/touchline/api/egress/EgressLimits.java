package touchline.api.egress;

import java.time.Duration;

/**
 * Limits of one request. The time to connect is the same for all. Immutable.
 *
 * @param silence longest time between two bytes, and before the first
 * @param total for the whole exchange, name lookup included
 * @param maxBodyBytes of the answer
 */
public record EgressLimits(Duration silence, Duration total, long maxBodyBytes) {
    public EgressLimits {
        if (silence.isNegative() || silence.isZero() || total.isNegative() || total.isZero()) {
            throw new IllegalArgumentException("egress limits: " + silence + ", " + total);
        }
    }
}
