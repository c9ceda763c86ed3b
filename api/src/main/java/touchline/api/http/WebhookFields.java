package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import touchline.api.domain.EventFilter;
import touchline.api.domain.EventType;

/** The fields of a webhook endpoint, as clients send them. Any thread; may resolve names. */
final class WebhookFields {
    static final String URL = "url";
    static final String EVENTS = "events";
    static final String STREAMS = "live_stream_ids";
    static final String DESCRIPTION = "description";
    static final String STATUS = "status";

    private static final int MAX_URL_BYTES = 2_048;
    private static final int MAX_DESCRIPTION_BYTES = 1_024;
    private static final int MAX_STREAMS = 1_000;
    private static final int MAX_EVENTS = 100;
    private static final Pattern ID = ApiRequest.ID;

    private final Function<String, Optional<String>> receiverRefusal;

    WebhookFields(Function<String, Optional<String>> receiverRefusal) {
        this.receiverRefusal = receiverRefusal;
    }

    /** The address; its name and its current IP addresses are checked. */
    Optional<String> url(JsonFields body) {
        Optional<String> url = body.url(URL, MAX_URL_BYTES);
        Optional<String> refusal = url.flatMap(receiverRefusal);
        refusal.ifPresent(reason -> body.problems().invalid(body.pathOf(URL), reason));
        return url.filter(_ -> refusal.isEmpty());
    }

    static Optional<String> description(JsonFields body) {
        return body.text(DESCRIPTION, MAX_DESCRIPTION_BYTES);
    }

    /** Names of events, or {@code *}. */
    static Optional<List<String>> events(JsonFields body) {
        List<String> allowed =
                Stream.concat(
                                Stream.of(EventFilter.ALL),
                                Stream.of(EventType.values()).map(EventType::wireName))
                        .toList();
        return texts(
                body,
                EVENTS,
                MAX_EVENTS,
                text ->
                        allowed.contains(text)
                                ? Optional.empty()
                                : Optional.of(
                                        "unknown value (expected: one of "
                                                + String.join(", ", allowed)
                                                + ")"));
    }

    /** Streams may be deleted already. */
    static Optional<List<String>> streams(JsonFields body) {
        return texts(
                body,
                STREAMS,
                MAX_STREAMS,
                text ->
                        ID.matcher(text).matches()
                                ? Optional.empty()
                                : Optional.of("no id of a live stream"));
    }

    /**
     * @param refusal the reason to reject a text
     */
    private static Optional<List<String>> texts(
            JsonFields body, String name, int most, Function<String, Optional<String>> refusal) {
        Optional<ArrayNode> list = body.array(name);
        if (list.isEmpty()) {
            return Optional.empty();
        }
        String path = body.pathOf(name);
        if (list.get().isEmpty() || list.get().size() > most) {
            body.problems()
                    .invalid(path, list.get().size() + " of them (expected: 1 to " + most + ")");
            return Optional.empty();
        }
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < list.get().size(); i++) {
            JsonNode node = list.get().get(i);
            Optional<String> reason =
                    node.isTextual()
                            ? refusal.apply(node.textValue())
                            : Optional.of(JsonFields.described(node) + " (expected: a string)");
            if (reason.isPresent()) {
                body.problems().invalid(path + "[" + i + "]", reason.get());
            } else if (!texts.contains(node.textValue())) {
                texts.add(node.textValue());
            }
        }
        return Optional.of(texts);
    }
}
