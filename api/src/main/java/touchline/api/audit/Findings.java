package touchline.api.audit;

import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import touchline.api.domain.DetectStatus;
import touchline.api.domain.ModerationFinding;
import touchline.api.domain.SampledFrame;
import touchline.moderation.AlertType;
import touchline.moderation.Box;
import touchline.moderation.Detection;
import touchline.moderation.FrameReport;
import touchline.moderation.RiskLevel;

/** Reports of the moderation module in the form that is stored and shown. Stateless. */
final class Findings {
    private static final double BOX_STEPS = 1e6;

    private Findings() {}

    /** The results of all models, alerts or not. */
    static List<ModerationFinding> of(FrameReport report) {
        List<ModerationFinding> findings = new ArrayList<>();
        for (FrameReport.Result result : report.results()) {
            Detection detection = result.detection();
            findings.add(
                    new ModerationFinding(
                            detection.type(),
                            detection.modelVersion(),
                            RiskLevel.shown(detection.confidence()),
                            result.risk(),
                            rounded(detection.box())));
        }
        return findings;
    }

    /** The stored data of every frame: the highest confidence of each type. */
    static SampledFrame scores(FrameReport report) {
        Map<AlertType, Float> scores = new EnumMap<>(AlertType.class);
        for (FrameReport.Result result : report.results()) {
            scores.merge(
                    result.detection().type(),
                    (float) RiskLevel.shown(result.detection().confidence()),
                    (a, b) -> Math.max(a, b));
        }
        long judgedAfterMs = report.capturedAt().until(report.judgedAt(), ChronoUnit.MILLIS);
        return new SampledFrame(
                report.capturedAt(),
                Math.clamp(judgedAfterMs, Integer.MIN_VALUE, Integer.MAX_VALUE),
                DetectStatus.ofCode(report.status().code()),
                scores);
    }

    /** A millionth of a frame is less than one pixel. */
    private static Box rounded(Box box) {
        return new Box(
                rounded(box.x()), rounded(box.y()), rounded(box.width()), rounded(box.height()));
    }

    private static double rounded(double fraction) {
        return Math.rint(fraction * BOX_STEPS) / BOX_STEPS;
    }
}
