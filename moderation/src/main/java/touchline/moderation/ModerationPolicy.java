package touchline.moderation;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How a session is moderated. Immutable, any thread.
 *
 * @param frameIntervalSeconds media time between analysed frames, 1 to 3600
 * @param thresholds 0 to 1 by alert type, at least one
 * @param gate whether a part waits for a passed frame before it is published
 * @param rejectCutoff share of the way from a threshold to 1 above which is reject, 0 to 1
 */
public record ModerationPolicy(
        int frameIntervalSeconds,
        Map<AlertType, Double> thresholds,
        boolean gate,
        double rejectCutoff) {
    /** Halfway from the threshold to 1. */
    public static final double DEFAULT_REJECT_CUTOFF = 0.5;

    public ModerationPolicy {
        if (frameIntervalSeconds < 1 || frameIntervalSeconds > 3600) {
            throw new IllegalArgumentException(
                    "frameIntervalSeconds: " + frameIntervalSeconds + " (1..3600)");
        }
        if (thresholds.isEmpty()) {
            throw new IllegalArgumentException("thresholds: none (at least one)");
        }
        thresholds = Map.copyOf(new EnumMap<>(thresholds));
        thresholds.forEach((type, threshold) -> checkShare(type.wireName(), threshold));
        checkShare("rejectCutoff", rejectCutoff);
    }

    /** What is looked for. */
    public Set<AlertType> types() {
        return thresholds.keySet();
    }

    /** What a detection of an asked type means. */
    public RiskLevel judge(Detection detection) {
        Double threshold = thresholds.get(detection.type());
        if (threshold == null) {
            throw new IllegalArgumentException("not asked for: " + detection.type().wireName());
        }
        return RiskLevel.of(detection.confidence(), threshold, rejectCutoff);
    }

    /** The riskiest of some detections of asked types; pass where there are none. */
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
