package touchline.api.domain;

import java.util.Optional;

/** What a model's result means for the stream, mildest first. */
public enum RiskLevel {
    PASS,
    REVIEW,
    REJECT;

    /**
     * What a confidence means: above the threshold is review, above the cut-off's share of the way
     * from there to 1 is reject.
     */
    public static RiskLevel of(double confidence, double threshold, double rejectCutoff) {
        if (!(confidence > threshold)) {
            return PASS;
        }
        return confidence > threshold + (1 - threshold) * rejectCutoff ? REJECT : REVIEW;
    }

    public String wireName() {
        return WireNames.lowerCase(this);
    }

    public static Optional<RiskLevel> of(String wireName) {
        return WireNames.find(RiskLevel.class, wireName);
    }
}
