package touchline.api.app;

import java.time.Duration;
import java.time.InstantSource;
import touchline.api.access.SealedSecrets;
import touchline.api.access.SecretBox;
import touchline.api.db.Database;
import touchline.api.db.DeliveryRepository;
import touchline.api.db.EventRepository;
import touchline.api.db.WebhookRepository;
import touchline.api.egress.Egress;
import touchline.api.egress.EgressLimits;
import touchline.api.events.EventFeed;
import touchline.api.events.StreamEvents;
import touchline.api.events.WebhookDispatch;
import touchline.api.http.EventDependencies;
import touchline.api.jobs.JobRetryTimer;
import touchline.api.jobs.Jobs;
import touchline.api.maintenance.EventLogRetention;
import touchline.config.ServerConfig;

/** Sending and retention of events. Built and closed with the server. */
final class EventSending implements AutoCloseable {
    /** Limits of a webhook request; a longer answer is not read. */
    private static final EgressLimits LIMITS =
            new EgressLimits(Duration.ofSeconds(15), Duration.ofSeconds(15), 64 * 1024);

    private final WebhookRepository endpoints;
    private final WebhookDispatch dispatch;
    private final EventLogRetention retention;
    private final EventFeed feed;
    private final StreamEvents streams;
    private final DeliveryRepository deliveries;
    private final Egress egress;

    EventSending(
            ServerConfig config,
            Database database,
            SecretBox box,
            Egress egress,
            Jobs jobs,
            InstantSource clock) {
        this.egress = egress;
        endpoints = new WebhookRepository(database, SealedSecrets.ofWebhooks(box));
        endpoints.resealStale();
        dispatch =
                new WebhookDispatch(
                        database,
                        endpoints,
                        (url, headers, body) -> egress.post(url, headers, body, LIMITS),
                        new JobRetryTimer(jobs),
                        clock);
        retention = new EventLogRetention(new EventRepository(database), config.events(), clock);
        feed = new EventFeed(database.outbox());
        streams = new StreamEvents(database, config.publicUrls().rtmpUrl());
        deliveries = new DeliveryRepository(database);
    }

    /** Resumes an earlier server's unfinished deliveries. */
    void start() {
        dispatch.start();
        retention.start();
    }

    StreamEvents streams() {
        return streams;
    }

    EventFeed feed() {
        return feed;
    }

    WebhookDispatch dispatch() {
        return dispatch;
    }

    DeliveryRepository deliveries() {
        return deliveries;
    }

    /** For the control API. */
    EventDependencies dependencies() {
        return new EventDependencies(
                endpoints, dispatch, feed, streams, egress.urls()::receiverRefusal);
    }

    @Override
    public void close() {
        retention.close();
        dispatch.close();
    }
}
