package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.SampledFrame;
import touchline.moderation.AlertType;
import touchline.moderation.RiskLevel;

/** Counts the frames of each risk level under other thresholds. One thread. */
final class ThresholdSimulation {
    private final Map<AlertType, Double> thresholds;
    private final double rejectCutoff;
    private final Map<RiskLevel, Long> frames = new EnumMap<>(RiskLevel.class);
    private long unscored;

    ThresholdSimulation(Map<AlertType, Double> thresholds, double rejectCutoff) {
        this.thresholds = thresholds;
        this.rejectCutoff = rejectCutoff;
    }

    void add(SampledFrame frame) {
        @Nullable RiskLevel worst = null;
        for (Map.Entry<AlertType, Double> asked : thresholds.entrySet()) {
            Float score = frame.scores().get(asked.getKey());
            if (score != null) {
                RiskLevel risk = RiskLevel.of(score, asked.getValue(), rejectCutoff);
                worst = worst == null || risk.compareTo(worst) > 0 ? risk : worst;
            }
        }
        if (worst == null) {
            unscored++;
        } else {
            frames.merge(worst, 1L, Long::sum);
        }
    }

    /** The thresholds and the counts. */
    void write(ObjectNode json) {
        ObjectNode models = json.putObject("models");
        thresholds.forEach((type, threshold) -> models.put(type.wireName(), threshold));
        long all = unscored;
        for (long each : frames.values()) {
            all += each;
        }
        json.put("frames", all);
        for (RiskLevel risk : RiskLevel.values()) {
            json.put(risk.wireName(), frames.getOrDefault(risk, 0L));
        }
        json.put("unscored", unscored);
    }
}
