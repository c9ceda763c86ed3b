package touchline.api.events;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import touchline.api.access.MasterKeys;
import touchline.api.access.SealedSecrets;
import touchline.api.access.SecretBox;
import touchline.api.db.Database;
import touchline.api.db.NewEvent;
import touchline.api.db.WebhookRepository;
import touchline.api.domain.Event;
import touchline.api.domain.EventFilter;
import touchline.api.domain.EventType;
import touchline.api.domain.WebhookEndpoint;
import touchline.api.domain.WebhookSecrets;
import touchline.api.egress.Egress;
import touchline.api.egress.EgressLimits;
import touchline.api.jobs.JobRetryTimer;
import touchline.api.jobs.Jobs;
import touchline.config.DatabaseConfig;
import touchline.media.StreamId;
import touchline.media.net.AddressRules;

/**
 * A server's events without the rest of it: records them at a steady rate, prints each that is
 * committed, and sends them to one endpoint, until it is killed. With a rate of 0 it only sends.
 */
final class OutboxLoop {
    private static final int STREAMS = 8;
    private static final EgressLimits LIMITS =
            new EgressLimits(Duration.ofSeconds(15), Duration.ofSeconds(15), 4_096);

    private OutboxLoop() {}

    /**
     * @param arguments folder, address of the receiver, events a second
     */
    public static void main(String[] arguments) throws InterruptedException {
        int rate = Integer.parseInt(arguments[2]);
        Database database =
                Database.open(
                        new DatabaseConfig(Optional.empty(), Optional.empty(), Optional.empty(), 8),
                        Path.of(arguments[0]));
        String key = Base64.getEncoder().encodeToString(new byte[32]);
        WebhookRepository endpoints =
                new WebhookRepository(
                        database,
                        SealedSecrets.ofWebhooks(
                                new SecretBox(
                                        MasterKeys.load(
                                                Optional.of(key), Path.of("does-not-exist")))));
        Egress egress = new Egress(AddressRules.allowing(List.of("127.0.0.0/8")));
        InstantSource clock = InstantSource.system();
        Jobs jobs = new Jobs(database, clock);
        JobRetryTimer timer = new JobRetryTimer(jobs);
        WebhookDispatch dispatch =
                new WebhookDispatch(
                        database,
                        endpoints,
                        (url, headers, body) -> egress.post(url, headers, body, LIMITS),
                        timer,
                        clock);
        if (endpoints.enabled().isEmpty()) {
            endpoints.create(
                    new WebhookEndpoint(
                            WebhookEndpoint.newId(),
                            arguments[1],
                            "",
                            new EventFilter(List.of(EventFilter.ALL), Optional.empty()),
                            Optional.empty(),
                            Optional.empty(),
                            clock.instant()),
                    WebhookSecrets.create(),
                    1);
        }
        dispatch.start();
        jobs.start();
        System.out.println(">ready");
        if (rate > 0) {
            record(database, rate);
        }
        Thread.currentThread().join();
    }

    private static void record(Database database, int rate) {
        ScheduledExecutorService clockwork = Executors.newScheduledThreadPool(2);
        int[] count = new int[1];
        var _ =
                clockwork.scheduleAtFixedRate(
                        () -> {
                            StreamId stream = new StreamId("str_" + count[0]++ % STREAMS);
                            Event event =
                                    database.transaction(
                                            () ->
                                                    database.outbox()
                                                            .append(
                                                                    NewEvent.of(
                                                                            EventType
                                                                                    .LIVE_STREAM_UPDATED,
                                                                            stream,
                                                                            JsonNodeFactory.instance
                                                                                    .objectNode())));
                            System.out.println(">" + event.id());
                        },
                        0,
                        TimeUnit.SECONDS.toNanos(1) / rate,
                        TimeUnit.NANOSECONDS);
    }
}
