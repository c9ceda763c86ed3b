package touchline.moderation;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rules by which a session is moderated. Immutable, any thread.
 *
 * @param frameIntervalSeconds interval of media time that holds {@code samples} samples, 1 to 3600
 * @param samples analysed frames in each interval, 1 to 4
 * @param thresholds 0 to 1 by alert type, at least one
 * @param gate whether a part waits for a passed sample before it is published
 * @param rejectCutoff fraction of the range from a threshold to 1; above it is reject, 0 to 1
 */
public record ModerationPolicy(
        int frameIntervalSeconds,
        int samples,
        Map<AlertType, Double> thresholds,
        boolean gate,
        double rejectCutoff) {
    /** Half of the range from the threshold to 1. */
    public static final double DEFAULT_REJECT_CUTOFF = 0.5;

    /** Maximum of analysed frames in each interval. */
    public static final int MAX_SAMPLES = 4;

    public ModerationPolicy {
        if (frameIntervalSeconds < 1 || frameIntervalSeconds > 3600) {
            throw new IllegalArgumentException(
                    "frameIntervalSeconds: " + frameIntervalSeconds + " (1..3600)");
        }
        if (samples < 1 || samples > MAX_SAMPLES) {
            throw new IllegalArgumentException("samples: " + samples + " (1.." + MAX_SAMPLES + ")");
        }
        if (thresholds.isEmpty()) {
            throw new IllegalArgumentException("thresholds: none (at least one)");
        }
        thresholds = Map.copyOf(new EnumMap<>(thresholds));
        thresholds.forEach((type, threshold) -> checkShare(type.wireName(), threshold));
        checkShare("rejectCutoff", rejectCutoff);
    }

    /** The longest media time between two samples. */
    public long sampleDistanceUs() {
        return frameIntervalSeconds * 1_000_000L / samples;
    }

    /** The requested alert types. */
    public Set<AlertType> types() {
        return thresholds.keySet();
    }

    /** The risk of a detection; its type must be one of {@link #types}. */
    public RiskLevel judge(Detection detection) {
        Double threshold = thresholds.get(detection.type());
        if (threshold == null) {
            throw new IllegalArgumentException(
                    "alert type not requested: " + detection.type().wireName());
        }
        return RiskLevel.of(detection.confidence(), threshold, rejectCutoff);
    }

    /** The highest risk of the detections; pass when there are none. */
    public RiskLevel highest(List<Detection> detections) {
        RiskLevel highest = RiskLevel.PASS;
        for (Detection detection : detections) {
            RiskLevel risk = judge(detection);
            highest = risk.compareTo(highest) > 0 ? risk : highest;
        }
        return highest;
    }

    private static void checkShare(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + ": " + value + " (0..1)");
        }
    }
}
