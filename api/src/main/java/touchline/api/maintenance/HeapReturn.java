package touchline.api.maintenance;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives free heap back to the system, also under load. The collector resizes the heap at the end of
 * a concurrent cycle. It needs none as long as little survives, which is so for live media: a heap
 * that grew in a busy minute would stay. This asks for a cycle, once a minute at most. Any thread.
 *
 * <p>It does nothing unless the JVM makes explicit collections concurrently ({@code
 * -XX:+ExplicitGCInvokesConcurrent}), as the launcher's does.
 */
final class HeapReturn implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HeapReturn.class);
    private static final Duration EVERY = Duration.ofMinutes(1);

    /** Of what has survived: the rest is for new media until the next collection. */
    private static final int ROOM = 3;

    private static final long LEAST_BYTES = 96L << 20;

    private final Supplier<Heap> heap;
    private final Runnable cycle;
    private final PeriodicTask task = new PeriodicTask("heap-return", EVERY, this::look);

    /**
     * @param committedBytes taken from the system
     * @param survivedBytes in use after the last collection
     */
    record Heap(long committedBytes, long survivedBytes) {
        boolean isTooLarge() {
            return committedBytes > LEAST_BYTES + ROOM * survivedBytes;
        }
    }

    HeapReturn() {
        this(HeapReturn::now, System::gc);
    }

    /**
     * @param cycle begins a concurrent cycle
     */
    HeapReturn(Supplier<Heap> heap, Runnable cycle) {
        this.heap = heap;
        this.cycle = cycle;
    }

    /** Begins to look, if this JVM can do it without a long pause. */
    void start() {
        if (isConcurrent()) {
            task.start();
        }
    }

    void look() {
        Heap found = heap.get();
        if (found.isTooLarge()) {
            log.debug(
                    "heap: {} MiB committed, {} MiB have survived",
                    found.committedBytes() >> 20,
                    found.survivedBytes() >> 20);
            cycle.run();
        }
    }

    @Override
    public void close() {
        task.close();
    }

    private static boolean isConcurrent() {
        var machine = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        return isOn(machine, "UseG1GC") && isOn(machine, "ExplicitGCInvokesConcurrent");
    }

    private static boolean isOn(HotSpotDiagnosticMXBean machine, String option) {
        return Boolean.parseBoolean(machine.getVMOption(option).getValue());
    }

    private static Heap now() {
        long committed = 0;
        long survived = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getType() == MemoryType.HEAP) {
                committed += pool.getUsage().getCommitted();
                MemoryUsage after = pool.getCollectionUsage();
                survived += after == null ? 0 : after.getUsed();
            }
        }
        return new Heap(committed, survived);
    }
}
