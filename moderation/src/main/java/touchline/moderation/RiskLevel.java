package touchline.moderation;

import java.util.Locale;

/** The meaning of a confidence under a policy, lowest risk first. */
public enum RiskLevel {
    PASS,
    REVIEW,
    REJECT;

    /** The name in the API: {@code pass}, {@code review}, {@code reject}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Confidences are shown and compared with this precision. */
    private static final double CONFIDENCE_STEPS = 1e6;

    /** Finer than any threshold: removes the error of the sum below. */
    private static final double CUTOFF_STEPS = 1e9;

    /** A confidence as it is shown and compared: rounded to 6 decimals. */
    public static double shown(double confidence) {
        return Math.rint(confidence * CONFIDENCE_STEPS) / CONFIDENCE_STEPS;
    }

    /**
     * Review above {@code threshold}, reject above {@code threshold + (1 - threshold) *
     * rejectCutoff}. The confidence counts as it is shown, so one that equals the threshold passes.
     *
     * @param confidence 0 to 1
     * @param threshold 0 to 1
     * @param rejectCutoff 0 to 1
     */
    public static RiskLevel of(double confidence, double threshold, double rejectCutoff) {
        double shown = shown(confidence);
        if (!(shown > threshold)) {
            return PASS;
        }
        double cutoff = threshold + (1 - threshold) * rejectCutoff;
        return shown > Math.rint(cutoff * CUTOFF_STEPS) / CUTOFF_STEPS ? REJECT : REVIEW;
    }
}
