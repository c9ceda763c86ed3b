package touchline.api.app;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import touchline.media.store.DiskSpace;

/** Metrics of the process and of the disk with the data folder. */
final class HostMeters {
    private static final String RESIDENT = "VmRSS:";
    private static final int BYTES_A_KIB = 1024;

    /**
     * Prometheus reserves the suffix "_count" for histograms, and counts seconds, not nanoseconds.
     */
    private static final MeterFilter NAMES =
            new MeterFilter() {
                @Override
                public MeterFilterReply accept(Meter.Id id) {
                    return id.getName().equals("process.cpu.time")
                            ? MeterFilterReply.DENY
                            : MeterFilterReply.NEUTRAL;
                }

                @Override
                public Meter.Id map(Meter.Id id) {
                    return id.getName().equals("system.cpu.count")
                            ? id.withName("system.cpus")
                            : id;
                }
            };

    private HostMeters() {}

    private interface Space {
        long of(DiskSpace disk);
    }

    /** A registry whose names keep the rules of Prometheus. */
    static PrometheusMeterRegistry registry() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        registry.config().meterFilter(NAMES);
        return registry;
    }

    static void bind(MeterRegistry registry, Path dataDir) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean host) {
            FunctionCounter.builder("process.cpu", host, each -> each.getProcessCpuTime() / 1e9)
                    .description("CPU time of the process")
                    .baseUnit("seconds")
                    .register(registry);
            Gauge.builder("touchline.memory.size", host, OperatingSystemMXBean::getTotalMemorySize)
                    .description("Memory of the host, or the limit of its container")
                    .baseUnit("bytes")
                    .register(registry);
        }
        Gauge.builder(
                        "process.resident.memory",
                        Path.of("/proc/self/status"),
                        HostMeters::residentBytes)
                .description("Memory of the process in RAM")
                // Nothing else holds the path: the gauge would become NaN.
                .strongReference(true)
                .baseUnit("bytes")
                .register(registry);
        disk(
                registry,
                "free",
                "Disk space left for the data folder",
                dataDir,
                DiskSpace::freeBytes);
        disk(
                registry,
                "size",
                "Disk space of the data folder's disk",
                dataDir,
                DiskSpace::totalBytes);
        inodes(
                registry,
                "free",
                "Inodes left for files in the data folder",
                dataDir,
                DiskSpace::freeInodes);
        inodes(
                registry,
                "size",
                "Inodes of the data folder's disk",
                dataDir,
                DiskSpace::totalInodes);
    }

    private static void disk(
            MeterRegistry registry, String name, String description, Path dataDir, Space space) {
        Gauge.builder("touchline.disk." + name, dataDir, folder -> amount(folder, space))
                .description(description)
                .strongReference(true)
                .baseUnit("bytes")
                .register(registry);
    }

    /** Infinite where the file system has no such limit. */
    private static void inodes(
            MeterRegistry registry, String name, String description, Path dataDir, Space space) {
        Gauge.builder("touchline.disk.inodes." + name, dataDir, folder -> amount(folder, space))
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    private static double amount(Path folder, Space space) {
        try {
            long amount = space.of(DiskSpace.of(folder));
            return amount == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : amount;
        } catch (IOException _) {
            return Double.NaN;
        }
    }

    /** From proc(5): the line says KiB. */
    static double residentBytes(Path status) {
        try {
            for (String line : Files.readAllLines(status)) {
                if (line.startsWith(RESIDENT)) {
                    return Double.parseDouble(line.replaceAll("\\D", "")) * BYTES_A_KIB;
                }
            }
        } catch (IOException | NumberFormatException _) {
            return Double.NaN;
        }
        return Double.NaN;
    }
}
