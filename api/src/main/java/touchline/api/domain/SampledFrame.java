package touchline.api.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import touchline.moderation.AlertType;

/**
 * What the models said of one sampled frame, in the form that is kept of all of them. Immutable.
 *
 * @param at wall clock of the frame by its timeline, cut to milliseconds
 * @param judgedAfterMs from then until the models had answered, cut to what two bytes hold; below 0
 *     where an encoder is ahead of its stream's clock
 * @param status what that meant by the thresholds of then
 * @param scores highest confidence of each type that was looked for, 0 to 1
 */
public record SampledFrame(
        Instant at, int judgedAfterMs, DetectStatus status, Map<AlertType, Float> scores) {
    public SampledFrame {
        at = at.truncatedTo(ChronoUnit.MILLIS);
        judgedAfterMs = Math.clamp(judgedAfterMs, Short.MIN_VALUE, Short.MAX_VALUE);
        EnumMap<AlertType, Float> ordered = new EnumMap<>(AlertType.class);
        ordered.putAll(scores);
        scores = Collections.unmodifiableMap(ordered);
    }

    /** When the models had answered, to the millisecond. */
    public Instant judgedAt() {
        return at.plusMillis(judgedAfterMs);
    }
}
