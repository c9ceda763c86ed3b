package touchline.api.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import touchline.api.domain.WebhookEndpoint;

/** Webhook endpoints as the API shows them: without secrets. Stateless. */
public final class WebhookView {
    private WebhookView() {}

    public static ObjectNode of(WebhookEndpoint endpoint) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("id", endpoint.id());
        json.put("url", endpoint.url());
        json.put("description", endpoint.description());
        ArrayNode events = json.putArray("events");
        endpoint.filter().types().forEach(events::add);
        endpoint.filter()
                .streams()
                .ifPresent(
                        streams -> {
                            ArrayNode ids = json.putArray("live_stream_ids");
                            streams.forEach(ids::add);
                        });
        json.put("status", endpoint.enabled() ? "enabled" : "disabled");
        endpoint.disabled()
                .ifPresent(
                        disabled ->
                                json.put("disabled_reason", disabled.reason().wireName())
                                        .put("disabled_at", disabled.at().getEpochSecond()));
        endpoint.failingSince()
                .ifPresent(since -> json.put("failing_since", since.getEpochSecond()));
        json.put("created_at", endpoint.createdAt().getEpochSecond());
        return json;
    }
}
