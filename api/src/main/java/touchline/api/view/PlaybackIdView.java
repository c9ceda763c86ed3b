package touchline.api.view;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import touchline.api.domain.PlaybackId;

/** Playback ids as the API shows them. Stateless. */
public final class PlaybackIdView {
    private PlaybackIdView() {}

    public static ObjectNode of(PlaybackId id) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("policy", id.policy().wireName())
                .put("id", id.id());
    }
}
