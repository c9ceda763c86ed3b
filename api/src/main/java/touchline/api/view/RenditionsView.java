package touchline.api.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import touchline.media.rendition.RenditionSettings;
import touchline.media.rendition.RenditionStatus;

/** Renditions as the API shows them. Any thread. */
public final class RenditionsView {
    /** {@code renditions}: the server chooses. */
    public static final String AUTO = "auto";

    private RenditionsView() {}

    /** As requested. */
    public static JsonNode of(RenditionSettings settings) {
        if (settings.auto()) {
            return JsonNodeFactory.instance.textNode(AUTO);
        }
        ArrayNode json = JsonNodeFactory.instance.arrayNode();
        for (RenditionSettings.Rendition each : settings.renditions()) {
            ObjectNode rendition = json.addObject().put("height", each.height());
            if (each.videoBitrateBps() > 0) {
                rendition.put("video_bitrate", each.videoBitrateBps());
            }
            if (each.frameRate() == Math.rint(each.frameRate()) && each.frameRate() > 0) {
                rendition.put("frame_rate", (int) each.frameRate());
            } else if (each.frameRate() > 0) {
                rendition.put("frame_rate", each.frameRate());
            }
        }
        return json;
    }

    /** What a session runs, the largest first. */
    public static ArrayNode of(List<RenditionStatus> renditions) {
        ArrayNode json = JsonNodeFactory.instance.arrayNode();
        for (RenditionStatus each : renditions) {
            json.addObject()
                    .put("height", each.format().height())
                    .put("width", each.format().width())
                    .put("video_bitrate", each.format().bitrateBps())
                    .put("codecs", each.codecs().orElse(null))
                    .put("state", each.running() ? "running" : "dropped");
        }
        return json;
    }
}
