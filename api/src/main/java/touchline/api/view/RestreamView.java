package touchline.api.view;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import touchline.api.domain.Restream;
import touchline.api.domain.RestreamStatus;

/** Restreams as the API shows them: without stream keys. Stateless. */
public final class RestreamView {
    private RestreamView() {}

    public static ObjectNode of(Restream restream, RestreamStatus status) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("id", restream.id());
        json.put("live_stream_id", restream.stream().value());
        json.put("name", restream.name());
        json.put("url", restream.url());
        json.put("enabled", restream.enabled());
        json.put("state", status.state().wireName());
        json.put("last_error", status.lastError().orElse(null));
        json.put("bitrate", status.bitrateBps());
        json.put("since", status.since().map(Instant::getEpochSecond).orElse(null));
        json.put("reconnects", status.reconnects());
        json.put("dropped_frames", status.droppedFrames());
        json.put("created_at", restream.createdAt().getEpochSecond());
        return json;
    }
}
