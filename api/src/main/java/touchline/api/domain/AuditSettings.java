package touchline.api.domain;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * {@code audit_settings}: how a live stream is moderated. Immutable.
 *
 * @param frameIntervalSeconds interval of media time that holds {@code samples} samples, 1 to 3600
 * @param samples analysed frames in each interval, 1 to 4
 * @param models threshold (0 to 1) by model name, in the order given, at least one
 * @param onReject the action on the stream after a rejected frame
 * @param gate whether a part waits for a passed sample before it is published
 */
public record AuditSettings(
        int frameIntervalSeconds,
        int samples,
        SequencedMap<String, Double> models,
        OnReject onReject,
        boolean gate) {
    /** {@code on_reject}. */
    public enum OnReject {
        NONE,
        DISABLE,
        /** Viewers get the slate until an operator ends the standby. */
        STANDBY;

        public String wireName() {
            return WireNames.lowerCase(this);
        }

        public static Optional<OnReject> of(String wireName) {
            return WireNames.find(OnReject.class, wireName);
        }
    }

    public static final int MAX_FRAME_INTERVAL_SECONDS = 3600;
    public static final int MAX_SAMPLES = 4;

    public AuditSettings {
        if (frameIntervalSeconds < 1 || frameIntervalSeconds > MAX_FRAME_INTERVAL_SECONDS) {
            throw new IllegalArgumentException(
                    "frame_interval: " + frameIntervalSeconds + " (expected: 1 to 3600)");
        }
        if (samples < 1 || samples > MAX_SAMPLES) {
            throw new IllegalArgumentException("samples: " + samples + " (expected: 1 to 4)");
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
