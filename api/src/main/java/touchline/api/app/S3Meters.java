package touchline.api.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import touchline.api.home.HomeCounters;

/** Metrics of recordings and evidence frames in S3. Stateless. */
final class S3Meters {
    private S3Meters() {}

    static void bind(MeterRegistry registry, HomeCounters counters) {
        count(
                registry,
                counters,
                "upload.files",
                "Files written to S3",
                HomeCounters::uploadedFiles);
        bytes(registry, counters, "upload", "Bytes written to S3", HomeCounters::uploadedBytes);
        count(
                registry,
                counters,
                "upload.failures",
                "Uploads to S3 that failed in all tries",
                HomeCounters::uploadFailures);
        bindTails(registry, counters);
        count(
                registry,
                counters,
                "fetch.files",
                "Files brought back from S3",
                HomeCounters::fetchedFiles);
        bytes(
                registry,
                counters,
                "fetch",
                "Bytes brought back from S3",
                HomeCounters::fetchedBytes);
        count(
                registry,
                counters,
                "fetch.failures",
                "Reads from S3 that failed, or gave other bytes than were stored",
                HomeCounters::fetchFailures);
        bytes(
                registry,
                counters,
                "evicted",
                "Bytes of local files removed for storage.cache-bytes, or because the disk was nearly full",
                HomeCounters::evictedBytes);
        bindState(registry, counters);
    }

    private static void bindTails(MeterRegistry registry, HomeCounters counters) {
        count(
                registry,
                counters,
                "tail.segments",
                "Segments of running recordings written to S3 on their own",
                HomeCounters::uploadedTails);
        bytes(
                registry,
                counters,
                "tail",
                "Bytes of these segments",
                HomeCounters::uploadedTailBytes);
        count(
                registry,
                counters,
                "tail.deleted",
                "Of these segments, deleted since a file in S3 has them",
                HomeCounters::deletedTails);
        count(
                registry,
                counters,
                "finished.recordings",
                "Recordings of nodes that are gone, finished from S3 by this one",
                HomeCounters::finishedRecordings);
    }

    private static void bindState(MeterRegistry registry, HomeCounters counters) {
        gauge(
                registry,
                counters,
                "backlog",
                "Bytes that are not in S3 yet",
                HomeCounters::backlogBytes);
        TimeGauge.builder(
                        "touchline.s3.backlog.age",
                        counters,
                        TimeUnit.MILLISECONDS,
                        each -> each.backlogAgeMs(System.currentTimeMillis()))
                .description("How long the oldest bytes wait that are not in S3 yet")
                .register(registry);
        gauge(
                registry,
                counters,
                "cached",
                "Bytes of local media files that are in S3 as well, where storage.cache-bytes limits them",
                HomeCounters::cachedBytes);
        Gauge.builder("touchline.s3.waiting.frames", counters, HomeCounters::waitingFrames)
                .description("Evidence frames that are not in S3 yet")
                .register(registry);
        Gauge.builder("touchline.s3.reachable", counters, each -> each.isReachable() ? 1 : 0)
                .description("1 if S3 took the last uploads, else 0")
                .register(registry);
    }

    private static void count(
            MeterRegistry registry,
            HomeCounters counters,
            String name,
            String what,
            ToDoubleFunction<HomeCounters> value) {
        FunctionCounter.builder("touchline.s3." + name, counters, value)
                .description(what)
                .register(registry);
    }

    private static void bytes(
            MeterRegistry registry,
            HomeCounters counters,
            String name,
            String what,
            ToDoubleFunction<HomeCounters> value) {
        FunctionCounter.builder("touchline.s3." + name, counters, value)
                .description(what)
                .baseUnit("bytes")
                .register(registry);
    }

    private static void gauge(
            MeterRegistry registry,
            HomeCounters counters,
            String name,
            String what,
            ToDoubleFunction<HomeCounters> value) {
        Gauge.builder("touchline.s3." + name, counters, value)
                .description(what)
                .baseUnit("bytes")
                .register(registry);
    }
}
