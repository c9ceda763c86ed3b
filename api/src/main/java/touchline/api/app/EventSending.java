package touchline.api.app;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import touchline.api.access.SealedSecrets;
import touchline.api.access.SecretBox;
import touchline.api.db.Database;
import touchline.api.db.DeliveryRepository;
import touchline.api.db.EventRepository;
import touchline.api.db.Outbox;
import touchline.api.db.WebhookRepository;
import touchline.api.egress.Egress;
import touchline.api.egress.EgressLimits;
import touchline.api.events.EndpointDuty;
import touchline.api.events.EventFeed;
import touchline.api.events.StreamEvents;
import touchline.api.events.WebhookDispatch;
import touchline.api.http.EventDependencies;
import touchline.api.jobs.JobRetryTimer;
import touchline.api.jobs.Jobs;
import touchline.api.maintenance.EventLogRetention;
import touchline.api.trace.Tracing;
import touchline.config.LiveConfig;
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
    private final Outbox outbox;
    private final InstantSource clock;

    /** Dependencies; borrowed. */
    record Dependencies(
            Database database,
            SecretBox box,
            Egress egress,
            Jobs jobs,
            EndpointDuty duty,
            Tracing tracing,
            InstantSource clock) {}

    EventSending(Dependencies dependencies, LiveConfig config) {
        Database database = dependencies.database();
        clock = dependencies.clock();
        egress = dependencies.egress();
        endpoints = new WebhookRepository(database, SealedSecrets.ofWebhooks(dependencies.box()));
        endpoints.resealStale();
        dispatch =
                new WebhookDispatch(
                        new WebhookDispatch.Dependencies(
                                database,
                                endpoints,
                                (url, headers, body) -> egress.post(url, headers, body, LIMITS),
                                new JobRetryTimer(dependencies.jobs()),
                                dependencies.duty(),
                                dependencies.tracing(),
                                clock));
        retention =
                new EventLogRetention(
                        new EventRepository(database), config.section(ServerConfig::events), clock);
        outbox = database.outbox();
        feed = new EventFeed(outbox);
        streams = new StreamEvents(database, config.get().publicUrls().rtmpUrl());
        deliveries = new DeliveryRepository(database);
    }

    /** Registers the metrics. */
    void bind(MeterRegistry registry) {
        EventMeters.bind(registry, dispatch.counters(), deliveries, endpoints, clock);
        outbox.listen(new EventCounts(registry));
    }

    /** Resumes an earlier server's unfinished deliveries. */
    void start() {
        dispatch.start();
        retention.start();
    }

    WebhookDispatch dispatch() {
        return dispatch;
    }

    StreamEvents streams() {
        return streams;
    }

    EventFeed feed() {
        return feed;
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
