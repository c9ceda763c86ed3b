package touchline.api.db;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;
import touchline.media.rendition.RenditionSettings;

/** The renditions of a stream as JSON text of a column; 0 stands for a default. Any thread. */
final class RenditionsJson {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String AUTO = "auto";

    private RenditionsJson() {}

    static String write(RenditionSettings renditions) {
        if (renditions.auto()) {
            return JSON.getNodeFactory().textNode(AUTO).toString();
        }
        ArrayNode json = JSON.createArrayNode();
        for (RenditionSettings.Rendition each : renditions.renditions()) {
            json.addObject()
                    .put("height", each.height())
                    .put("video_bitrate", each.videoBitrateBps())
                    .put("frame_rate", each.frameRate());
        }
        return json.toString();
    }

    static RenditionSettings read(String text) {
        try {
            JsonNode json = JSON.readTree(text);
            if (json.isTextual()) {
                return RenditionSettings.AUTO;
            }
            List<RenditionSettings.Rendition> renditions = new ArrayList<>();
            for (JsonNode each : json) {
                renditions.add(
                        new RenditionSettings.Rendition(
                                each.path("height").asInt(),
                                each.path("video_bitrate").asInt(0),
                                each.path("frame_rate").asDouble(0)));
            }
            return new RenditionSettings(/* auto= */ false, renditions);
        } catch (JsonProcessingException e) {
            throw new DatabaseException("renditions: not JSON: " + e.getOriginalMessage());
        }
    }
}
