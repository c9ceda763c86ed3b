package touchline.api.http;

import java.util.Optional;
import java.util.function.Function;
import touchline.api.db.WebhookRepository;
import touchline.api.events.EventFeed;
import touchline.api.events.StreamEvents;
import touchline.api.events.WebhookDispatch;

/**
 * What the API of events stands on. Nothing of it is closed by the API.
 *
 * @param streams records what clients do to live streams
 * @param receiverRefusal why events are not sent to an address; empty where they may be tried
 */
public record EventDependencies(
        WebhookRepository endpoints,
        WebhookDispatch dispatch,
        EventFeed feed,
        StreamEvents streams,
        Function<String, Optional<String>> receiverRefusal) {}
