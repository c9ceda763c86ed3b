package touchline.api.watch;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What an open page asks for, as JSON: {@code watch.json}. Stateless. */
final class WatchState {
    private static final double US_PER_S = 1e6;

    private WatchState() {}

    static String json(Watched watched) {
        ObjectNode json =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("state", watched.now().state())
                        .put("title", watched.title());
        switch (watched.now()) {
            case Watched.Idle _, Watched.Disabled _ -> {}
            case Watched.Live live -> {
                json.put("session_id", live.session());
                live.positionUs().ifPresent(us -> json.put("position", us / US_PER_S));
                json.put("dvr", live.dvr());
            }
            case Watched.Stored stored -> json.put("duration", stored.durationUs() / US_PER_S);
        }
        return json.toString();
    }
}
