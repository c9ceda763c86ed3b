package touchline.api.domain;

import touchline.moderation.RiskLevel;

/** The decision about a sampled frame. */
public enum DetectStatus {
    PASS(1),
    REVIEW(2),
    REJECT(3),
    /** No model had a result. */
    ERROR(4);

    private final int code;

    DetectStatus(int code) {
        this.code = code;
    }

    /** {@code detect_status}. */
    public int code() {
        return code;
    }

    public String wireName() {
        return WireNames.lowerCase(this);
    }

    public static DetectStatus of(RiskLevel risk) {
        return switch (risk) {
            case PASS -> PASS;
            case REVIEW -> REVIEW;
            case REJECT -> REJECT;
        };
    }

    /**
     * @throws IllegalArgumentException for a code that none has
     */
    public static DetectStatus ofCode(int code) {
        for (DetectStatus status : values()) {
            if (status.code == code) {
                return status;
            }
        }
        throw new IllegalArgumentException("detect status: " + code + " (expected: 1 to 4)");
    }
}
