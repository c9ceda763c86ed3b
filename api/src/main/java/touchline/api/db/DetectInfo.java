package touchline.api.db;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import touchline.api.domain.ModerationFinding;
import touchline.moderation.AlertType;
import touchline.moderation.Box;
import touchline.moderation.RiskLevel;

/** Findings as the JSON that is stored, listed and sent to webhooks. Any thread. */
public final class DetectInfo {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int BOX_NUMBERS = 4;

    private DetectInfo() {}

    /** {@code detect_info}: the text of a JSON array. */
    public static String write(List<ModerationFinding> findings) {
        ArrayNode array = JSON.createArrayNode();
        findings.forEach(finding -> array.add(object(finding)));
        return array.toString();
    }

    /** One finding: {@code detection_info} of an alert. */
    public static ObjectNode object(ModerationFinding finding) {
        ObjectNode json = JSON.createObjectNode();
        json.put("model", finding.type().wireName());
        json.put("model_version", finding.modelVersion());
        json.put("confidence", finding.confidence());
        json.put("risk_level", finding.risk().wireName());
        Box box = finding.box();
        json.putArray("bounding_box").add(box.x()).add(box.y()).add(box.width()).add(box.height());
        return json;
    }

    static List<ModerationFinding> read(String text) {
        List<ModerationFinding> findings = new ArrayList<>();
        for (JsonNode json : parse(text)) {
            JsonNode box = json.get("bounding_box");
            if (box.size() != BOX_NUMBERS) {
                throw new DatabaseException("stored box: " + box.size() + " numbers (expected: 4)");
            }
            findings.add(
                    new ModerationFinding(
                            AlertType.of(json.get("model").asText()).orElseThrow(),
                            json.get("model_version").asText(),
                            json.get("confidence").asDouble(),
                            RiskLevel.valueOf(
                                    json.get("risk_level").asText().toUpperCase(Locale.ROOT)),
                            new Box(
                                    box.get(0).asDouble(),
                                    box.get(1).asDouble(),
                                    box.get(2).asDouble(),
                                    box.get(3).asDouble())));
        }
        return findings;
    }

    private static JsonNode parse(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new DatabaseException("stored JSON: " + e.getOriginalMessage(), e);
        }
    }
}
