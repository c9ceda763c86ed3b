package touchline.api.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import touchline.moderation.AlertType;

/**
 * The results of one sampled frame, as stored for every frame. Immutable.
 *
 * @param at wall clock of the frame by its timeline, cut to milliseconds
 * @param judgedAfterMs time until the models had answered, cut to two bytes; below 0 where an
 *     encoder is ahead of its stream's clock
 * @param status by the thresholds of that time
 * @param scores highest confidence of each requested type, 0 to 1
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
