package touchline.api.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;
import touchline.api.backup.Backups;

/** Metrics of backups. */
final class BackupMeters {
    private BackupMeters() {}

    static void bind(MeterRegistry registry, Backups backups) {
        results(registry, backups, "succeeded", Backups::succeeded);
        results(registry, backups, "failed", Backups::failed);
        Gauge.builder("touchline.backup.last.timestamp", backups, BackupMeters::lastSeconds)
                .description("Unix time of the last backup that was written to its end; 0: none")
                .baseUnit("seconds")
                .strongReference(true)
                .register(registry);
        Gauge.builder("touchline.backup.last.size", backups, BackupMeters::lastBytes)
                .description("Size of that backup")
                .baseUnit("bytes")
                .strongReference(true)
                .register(registry);
    }

    private static double lastSeconds(Backups backups) {
        return backups.last().map(last -> (double) last.createdAt().getEpochSecond()).orElse(0.0);
    }

    private static double lastBytes(Backups backups) {
        return backups.last().map(last -> (double) last.sizeBytes()).orElse(0.0);
    }

    private static void results(
            MeterRegistry registry,
            Backups backups,
            String result,
            ToDoubleFunction<Backups> value) {
        FunctionCounter.builder("touchline.backups", backups, value)
                .description("Backups by result")
                .tag("result", result)
                .register(registry);
    }
}
