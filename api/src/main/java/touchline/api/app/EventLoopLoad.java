package touchline.api.app;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * How busy the event loops are: the processor time of their threads, read with the metrics and
 * never elsewhere. One loop serves many connections, so the busiest one counts. Any thread.
 */
final class EventLoopLoad {
    private static final List<String> SERVERS = List.of("rtmp", "playback");

    /** Of a reading; more frequent ones get the last result. */
    private static final long LEAST_NS = TimeUnit.SECONDS.toNanos(5);

    private final ThreadMXBean threads;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private long readNs;

    @GuardedBy("lock")
    private Map<Long, Long> cpuNs = Map.of();

    @GuardedBy("lock")
    private final Map<String, Double> busiest = new HashMap<>();

    EventLoopLoad(ThreadMXBean threads, LongSupplier nanoTime) {
        this.threads = threads;
        this.nanoTime = nanoTime;
        this.readNs = nanoTime.getAsLong() - LEAST_NS;
    }

    static void bind(MeterRegistry registry) {
        EventLoopLoad load =
                new EventLoopLoad(ManagementFactory.getThreadMXBean(), System::nanoTime);
        for (String server : SERVERS) {
            Gauge.builder("touchline.event.loop.busy", load, each -> each.busiest(server))
                    .description("Share of one core that the busiest event loop uses")
                    .baseUnit("ratio")
                    .tag("server", server)
                    .strongReference(true)
                    .register(registry);
        }
    }

    /**
     * Since the last reading, 0 to 1.
     *
     * @param server start of the threads' names
     */
    double busiest(String server) {
        lock.lock();
        try {
            long nowNs = nanoTime.getAsLong();
            if (nowNs - readNs >= LEAST_NS) {
                read(nowNs);
            }
            return busiest.getOrDefault(server, 0.0);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void read(long nowNs) {
        Map<Long, Long> fresh = new HashMap<>();
        busiest.clear();
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            // A thread may have ended since.
            String server = thread == null ? "" : server(thread.getThreadName());
            if (thread != null && !server.isEmpty()) {
                long id = thread.getThreadId();
                long usedNs = threads.getThreadCpuTime(id);
                fresh.put(id, usedNs);
                Long before = cpuNs.get(id);
                if (before != null) {
                    double share = (double) (usedNs - before) / (nowNs - readNs);
                    busiest.merge(server, Math.clamp(share, 0.0, 1.0), Math::max);
                }
            }
        }
        cpuNs = fresh;
        readNs = nowNs;
    }

    /** Netty numbers its threads: {@code rtmp-2-1}. */
    private static String server(String thread) {
        return SERVERS.stream()
                .filter(server -> thread.matches(server + "-\\d+-\\d+"))
                .findFirst()
                .orElse("");
    }
}
