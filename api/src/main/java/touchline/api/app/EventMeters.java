package touchline.api.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import touchline.api.db.DeliveryRepository;
import touchline.api.db.WebhookRepository;
import touchline.api.events.DispatchCounters;

/** Metrics of webhooks. Ids and addresses are never labels. */
final class EventMeters {
    private EventMeters() {}

    /** What the database says about webhooks. */
    private record Backlog(double lagSeconds, double failingEndpoints) {}

    static void bind(
            MeterRegistry registry,
            DispatchCounters counters,
            DeliveryRepository deliveries,
            WebhookRepository endpoints,
            InstantSource clock) {
        attempts(registry, counters, "succeeded", DispatchCounters::succeeded);
        attempts(registry, counters, "failed", DispatchCounters::failed);
        FunctionCounter.builder("touchline.webhooks.given.up", counters, c -> c.givenUp())
                .description("Deliveries given up after their last retry")
                .register(registry);
        FunctionCounter.builder("touchline.webhooks.disabled", counters, c -> c.disabled())
                .description("Endpoints disabled because of their failures")
                .register(registry);
        FunctionTimer.builder(
                        "touchline.webhooks.delivery",
                        counters,
                        DispatchCounters::firstTries,
                        DispatchCounters::firstTryNs,
                        TimeUnit.NANOSECONDS)
                .description("From an event to the answer, where the first attempt succeeds")
                .register(registry);
        DatabaseReading<Backlog> backlog =
                new DatabaseReading<>(
                        now -> new Backlog(lag(deliveries, now), endpoints.failing()), clock);
        Gauge.builder("touchline.webhooks.lag", backlog, each -> each.number(Backlog::lagSeconds))
                .description("Age of the oldest delivery that is still to be made")
                .baseUnit("seconds")
                .strongReference(true)
                .register(registry);
        Gauge.builder(
                        "touchline.webhooks.failing",
                        backlog,
                        each -> each.number(Backlog::failingEndpoints))
                .description("Enabled endpoints whose last attempt failed")
                .strongReference(true)
                .register(registry);
    }

    private static double lag(DeliveryRepository deliveries, Instant now) {
        return deliveries
                .oldestPending()
                .map(at -> Duration.between(at, now).toMillis() / 1_000.0)
                .orElse(0.0);
    }

    private static void attempts(
            MeterRegistry registry,
            DispatchCounters counters,
            String result,
            ToDoubleFunction<DispatchCounters> value) {
        FunctionCounter.builder("touchline.webhooks.attempts", counters, value)
                .description("Requests to webhook endpoints")
                .tag("result", result)
                .register(registry);
    }
}
