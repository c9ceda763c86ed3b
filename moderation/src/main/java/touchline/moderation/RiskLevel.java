package touchline.moderation;

import java.util.Locale;

/** What a confidence means under a policy, mildest first. */
public enum RiskLevel {
    PASS,
    REVIEW,
    REJECT;

    /** As the interface spells it: {@code pass}, {@code review}, {@code reject}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Above the threshold is review; further above than the cut-off's share of the way to 1 is
     * reject.
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
