package touchline.api.watch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.OptionalLong;

/** What an open page asks for, as JSON: {@code watch.json}. Stateless. */
final class WatchState {
    private static final double US_PER_S = 1e6;

    private WatchState() {}

    /**
     * What another node shows of a stream.
     *
     * @param json its {@code watch.json}
     */
    static Watched.Now of(JsonNode json) {
        return switch (json.path("state").asText()) {
            case "live", "interrupted" ->
                    new Watched.Live(
                            json.path("session_id").asText(),
                            json.path("state").asText().equals("live"),
                            us(json.path("position")),
                            us(json.path("media_start")),
                            json.path("dvr").asBoolean());
            case "disabled" -> new Watched.Disabled();
            default -> new Watched.Idle();
        };
    }

    private static OptionalLong us(JsonNode seconds) {
        return seconds.isNumber()
                ? OptionalLong.of(Math.round(seconds.asDouble() * US_PER_S))
                : OptionalLong.empty();
    }

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
                live.mediaStartUs().ifPresent(us -> json.put("media_start", us / US_PER_S));
                json.put("dvr", live.dvr());
            }
            case Watched.Stored stored -> json.put("duration", stored.durationUs() / US_PER_S);
        }
        return json.toString();
    }
}
