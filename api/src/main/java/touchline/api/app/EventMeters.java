package touchline.api.app;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToDoubleFunction;
import touchline.api.db.DatabaseException;
import touchline.api.db.DeliveryRepository;
import touchline.api.events.DispatchCounters;

/** Metrics of events. Ids and addresses are never labels. */
final class EventMeters {
    /** Minimum interval of database queries, however often the metrics are read. */
    private static final Duration LAG_KEPT = Duration.ofSeconds(5);

    private final DeliveryRepository deliveries;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private Instant askedAt = Instant.EPOCH;

    @GuardedBy("lock")
    private double lagSeconds;

    private EventMeters(DeliveryRepository deliveries, InstantSource clock) {
        this.deliveries = deliveries;
        this.clock = clock;
    }

    static void bind(
            MeterRegistry registry,
            DispatchCounters counters,
            DeliveryRepository deliveries,
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
        EventMeters lag = new EventMeters(deliveries, clock);
        Gauge.builder("touchline.webhooks.lag", lag, EventMeters::lagSeconds)
                .description("Age of the oldest delivery that is still to be made")
                .baseUnit("seconds")
                .strongReference(true)
                .register(registry);
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

    private double lagSeconds() {
        Instant now = clock.instant();
        lock.lock();
        try {
            if (Duration.between(askedAt, now).compareTo(LAG_KEPT) >= 0) {
                askedAt = now;
                lagSeconds = asked(now);
            }
            return lagSeconds;
        } finally {
            lock.unlock();
        }
    }

    private double asked(Instant now) {
        try {
            return deliveries
                    .oldestPending()
                    .map(at -> Duration.between(at, now).toMillis() / 1_000.0)
                    .orElse(0.0);
        } catch (DatabaseException _) {
            return Double.NaN;
        }
    }
}
