package touchline.api.http;

import java.util.Optional;
import java.util.function.Function;
import touchline.api.db.WebhookRepository;
import touchline.api.events.EventFeed;
import touchline.api.events.StreamEvents;
import touchline.api.events.WebhookDispatch;

/**
 * All borrowed: the API closes none of them.
 *
 * @param streams records events of live streams
 * @param receiverRefusal the reason to reject a receiver's address; empty for an accepted one
 */
public record EventDependencies(
        WebhookRepository endpoints,
        WebhookDispatch dispatch,
        EventFeed feed,
        StreamEvents streams,
        Function<String, Optional<String>> receiverRefusal) {}
