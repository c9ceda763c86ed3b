package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import touchline.moderation.AlertType;
import touchline.moderation.RiskLevel;
import touchline.api.domain.SampledFrame;

/**
 * Counts how many frames each risk level would have had under other thresholds. One thread.
 */
final class ThresholdSimulation {
    private final Map<AlertType, Double> thresholds;
    private final double rejectCutoff;
    private final long[] frames = new long[RiskLevel.values().length];
    private long unscored;

    ThresholdSimulation(Map<AlertType, Double> thresholds, double rejectCutoff) {
        this.thresholds = thresholds;
        this.rejectCutoff = rejectCutoff;
    }

    void add(SampledFrame frame) {
        RiskLevel worst = null;
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
            frames[worst.ordinal()]++;
        }
    }

    /** The thresholds and the counts. */
    void write(ObjectNode json) {
        ObjectNode models = json.putObject("models");
        thresholds.forEach((type, threshold) -> models.put(type.wireName(), threshold));
        long all = unscored;
        for (long each : frames) {
            all += each;
        }
        json.put("frames", all);
        for (RiskLevel risk : RiskLevel.values()) {
            json.put(risk.wireName(), frames[risk.ordinal()]);
        }
        json.put("unscored", unscored);
    }
}
