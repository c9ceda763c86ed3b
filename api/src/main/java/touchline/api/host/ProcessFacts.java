package touchline.api.host;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Processors and memory, of the JVM's own measurements and of {@code /proc}. One thread: a load is
 * that since the call before.
 */
final class ProcessFacts {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path MEMORY = Path.of("/proc/meminfo");
    private static final long KIBIBYTE = 1024;

    private ProcessFacts() {}

    static HostFacts.Cpu cpu() {
        int count = Runtime.getRuntime().availableProcessors();
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean host
                ? new HostFacts.Cpu(count, load(host.getCpuLoad()), load(host.getProcessCpuLoad()))
                : new HostFacts.Cpu(count, OptionalDouble.empty(), OptionalDouble.empty());
    }

    /**
     * @param mediaBytes of packaged media
     */
    static HostFacts.Memory memory(long mediaBytes) {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        long direct = 0;
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            if (pool.getName().equals("direct")) {
                direct = pool.getMemoryUsed();
            }
        }
        return new HostFacts.Memory(
                heap.getUsed(),
                heap.getCommitted(),
                heap.getMax(),
                direct,
                mediaBytes,
                kibibytes(STATUS, "VmRSS:"),
                total(),
                kibibytes(MEMORY, "MemAvailable:"));
    }

    private static OptionalLong total() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean host
                ? OptionalLong.of(host.getTotalMemorySize())
                : OptionalLong.empty();
    }

    /** Negative before the first measurement. */
    private static OptionalDouble load(double load) {
        return load >= 0 ? OptionalDouble.of(Math.min(1, load)) : OptionalDouble.empty();
    }

    /** A line such as {@code VmRSS: 123 kB} of proc(5), in bytes. */
    static OptionalLong kibibytes(Path file, String name) {
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith(name)) {
                    return OptionalLong.of(Long.parseLong(line.replaceAll("\\D", "")) * KIBIBYTE);
                }
            }
        } catch (IOException | NumberFormatException _) {
            return OptionalLong.empty();
        }
        return OptionalLong.empty();
    }
}
