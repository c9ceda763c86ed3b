package touchline.api.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;
import touchline.packager.thumbnail.ThumbnailCounters;

/** Metrics of thumbnails. */
final class ThumbnailMeters {
    private ThumbnailMeters() {}

    static void bind(MeterRegistry registry, ThumbnailCounters counters) {
        results(registry, counters, "decoded", ThumbnailCounters::decoded);
        results(registry, counters, "kept", ThumbnailCounters::kept);
        results(registry, counters, "undecodable", ThumbnailCounters::undecodable);
        results(registry, counters, "refused", ThumbnailCounters::refused);
        FunctionCounter.builder(
                        "touchline.thumbnails.cpu.seconds", counters, ThumbnailCounters::cpuSeconds)
                .description("Processor time of thumbnails")
                .register(registry);
        Gauge.builder("touchline.thumbnails.kept.bytes", counters, ThumbnailCounters::keptBytes)
                .description("Bytes of thumbnails kept in memory")
                .register(registry);
    }

    private static void results(
            MeterRegistry registry,
            ThumbnailCounters counters,
            String result,
            ToDoubleFunction<ThumbnailCounters> value) {
        FunctionCounter.builder("touchline.thumbnails", counters, value)
                .description("Thumbnails by result")
                .tag("result", result)
                .register(registry);
    }
}
