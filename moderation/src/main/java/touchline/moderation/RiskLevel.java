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

    /**
     * Review above {@code threshold}, reject above {@code threshold + (1 - threshold) *
     * rejectCutoff}.
     *
     * @param confidence 0 to 1
     * @param threshold 0 to 1
     * @param rejectCutoff 0 to 1
     */
    public static RiskLevel of(double confidence, double threshold, double rejectCutoff) {
        if (!(confidence > threshold)) {
            return PASS;
        }
        return confidence > threshold + (1 - threshold) * rejectCutoff ? REJECT : REVIEW;
    }
}
