package touchline.api.audit;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import touchline.api.domain.ModerationFinding;
import touchline.moderation.AlertType;

/** The data of {@code audit_check}, exactly as SPEC 6.1 has it. Stateless. */
final class AuditCheck {
    private AuditCheck() {}

    /**
     * @param frameUrl empty if the frame was not stored
     * @param thresholds that the findings were compared with
     * @param isDemo whether a model is a demo, by the name of its folder
     */
    static ObjectNode data(
            AuditContext context,
            String frameUrl,
            List<ModerationFinding> findings,
            Map<AlertType, Double> thresholds,
            Predicate<String> isDemo) {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        data.putObject("stream_info")
                .put("stream_id", context.stream().value())
                .put("stream_session_id", context.session().value())
                .put("title", context.title())
                .put("start_time", context.startedAt().getEpochSecond());
        data.put("frame_url", frameUrl);
        ArrayNode alerts = data.putArray("alerts");
        for (ModerationFinding finding : findings) {
            if (finding.isAlert()) {
                alerts.add(
                        alert(
                                finding,
                                thresholds.getOrDefault(finding.type(), 0.0),
                                isDemo.test(finding.modelVersion())));
            }
        }
        return data;
    }

    private static ObjectNode alert(ModerationFinding finding, double threshold, boolean demo) {
        ObjectNode alert = JsonNodeFactory.instance.objectNode();
        alert.put("type", finding.type().wireName());
        alert.put("confidence", finding.confidence());
        alert.put(
                "description",
                String.format(
                        Locale.ROOT,
                        "%s: confidence %.3f is above the threshold %s (%s %s)",
                        finding.type().wireName(),
                        finding.confidence(),
                        threshold,
                        demo ? "demonstration model" : "model",
                        finding.modelVersion()));
        ObjectNode info = alert.putObject("detection_info");
        info.put("model", finding.type().wireName());
        info.put("confidence", finding.confidence());
        info.putArray("bounding_box")
                .add(finding.box().x())
                .add(finding.box().y())
                .add(finding.box().width())
                .add(finding.box().height());
        info.put("risk_level", finding.risk().wireName());
        return alert;
    }
}
