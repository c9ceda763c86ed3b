package touchline.api.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import touchline.api.db.JobRows;
import touchline.api.jobs.Jobs;

/** Metrics of durable jobs by kind, and of the processes of clips. */
final class JobMeters {
    private final MeterRegistry registry;
    private final DatabaseReading<Map<String, JobRows.Load>> load;

    private JobMeters(MeterRegistry registry, DatabaseReading<Map<String, JobRows.Load>> load) {
        this.registry = registry;
        this.load = load;
    }

    static void bind(MeterRegistry registry, Jobs jobs, AssetJobs assetJobs, InstantSource clock) {
        assetJobs.bind(registry);
        JobMeters meters = new JobMeters(registry, new DatabaseReading<>(jobs::load, clock));
        for (String kind : jobs.kinds()) {
            meters.gauge("touchline.jobs.running", "Jobs that run", kind, JobRows.Load::running);
            meters.gauge(
                    "touchline.jobs.waiting",
                    "Jobs that are due and wait for a place",
                    kind,
                    JobRows.Load::waiting);
            meters.gauge(
                    "touchline.jobs.lag.seconds",
                    "How long the oldest of these waits",
                    kind,
                    each -> seconds(each, clock.instant()));
            FunctionCounter.builder("touchline.jobs.failed", jobs, each -> each.failedRuns(kind))
                    .description("Runs that failed and are tried again")
                    .tag("kind", kind)
                    .register(registry);
        }
    }

    private static double seconds(JobRows.Load load, Instant now) {
        return load.oldestDue()
                .map(due -> Math.max(0, Duration.between(due, now).toMillis()) / 1_000.0)
                .orElse(0.0);
    }

    private void gauge(
            String name, String description, String kind, ToDoubleFunction<JobRows.Load> value) {
        Gauge.builder(
                        name,
                        load,
                        each ->
                                each.number(
                                        kinds ->
                                                value.applyAsDouble(
                                                        kinds.getOrDefault(
                                                                kind, JobRows.Load.NONE))))
                .description(description)
                .tag("kind", kind)
                .strongReference(true)
                .register(registry);
    }
}
