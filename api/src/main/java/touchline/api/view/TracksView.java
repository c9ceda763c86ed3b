package touchline.api.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import touchline.api.domain.TrackStatus;

/** The further tracks of an encoder as the API shows them. Any thread. */
public final class TracksView {
    private TracksView() {}

    /** Video first. */
    public static ArrayNode of(List<TrackStatus> tracks) {
        ArrayNode json = JsonNodeFactory.instance.arrayNode();
        for (TrackStatus each : tracks) {
            ObjectNode track = json.addObject();
            track.put("kind", each.video() ? "video" : "audio");
            track.put("number", each.number());
            if (each.video()) {
                track.put("width", each.width()).put("height", each.height());
            } else {
                track.put("name", each.name());
                track.put("language", each.language().isEmpty() ? null : each.language());
            }
            track.put("codecs", each.codecs());
            track.put("bitrate", each.bitrateBps());
            track.put("state", each.running() ? "running" : "dropped");
            track.put("rendition", each.running() ? each.rendition() : null);
            if (!each.reason().isEmpty()) {
                track.put("reason", each.reason());
            }
        }
        return json;
    }
}
