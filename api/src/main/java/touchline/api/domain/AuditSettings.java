package touchline.api.domain;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * {@code audit_settings}: how a live stream is moderated. Immutable.
 *
 * @param frameIntervalSeconds media time between analysed frames, 1 to 3600
 * @param models threshold (0 to 1) by model name, in the order given, at least one
 * @param onReject the action on the stream after a rejected frame
 * @param gate whether a part waits for a passed sample before it is published
 */
public record AuditSettings(
        int frameIntervalSeconds,
        SequencedMap<String, Double> models,
        OnReject onReject,
        boolean gate) {
    /** {@code on_reject}. */
    public enum OnReject {
        NONE,
        DISABLE;

        public String wireName() {
            return WireNames.lowerCase(this);
        }

        public static Optional<OnReject> of(String wireName) {
            return WireNames.find(OnReject.class, wireName);
        }
    }

    public static final int MAX_FRAME_INTERVAL_SECONDS = 3600;

    public AuditSettings {
        if (frameIntervalSeconds < 1 || frameIntervalSeconds > MAX_FRAME_INTERVAL_SECONDS) {
            throw new IllegalArgumentException(
                    "frame_interval: " + frameIntervalSeconds + " (expected: 1 to 3600)");
        }
        if (models.isEmpty()) {
            throw new IllegalArgumentException("models: none (expected: at least one)");
        }
        models.forEach(
                (model, threshold) -> {
                    if (!(threshold >= 0 && threshold <= 1)) {
                        throw new IllegalArgumentException(
                                "models." + model + ": " + threshold + " (expected: 0 to 1)");
                    }
                });
        models = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(models));
    }
}
