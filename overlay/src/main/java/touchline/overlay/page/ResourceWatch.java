package touchline.overlay.page;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.config.PageLimits;

/**
 * Checks the browser's processes every second and ends a process above its limits. Chromium does
 * not report which page runs in a process; the page that crashes next gets the reason. A thread of
 * its own; any thread may call {@link #explain}.
 */
final class ResourceWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ResourceWatch.class);
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final int CPU_PERIODS = 10;
    private static final long EXPLANATION_NS = TimeUnit.SECONDS.toNanos(5);

    /** In the reasons of failures that the end of a process has. */
    private static final List<String> FOLLOWS = List.of("crashed", "ended", "pipe is closed");

    /** Memory of the browser itself, counted for no page. */
    private static final long BROWSER_BYTES = 1L << 30;

    private final BrowserHost host;
    private final PageLimits limits;
    private final Thread thread;

    // Used by the watch's thread only: by process, the CPU time at each of the last checks.
    private Map<Long, Deque<Long>> cpuNs = new HashMap<>();

    // Written by the watch's thread, read by any.
    private volatile @Nullable Ended lastEnded;

    private record Ended(String reason, long atNs) {}

    private ResourceWatch(BrowserHost host, PageLimits limits) {
        this.host = host;
        this.limits = limits;
        this.thread = Thread.ofPlatform().daemon().name("page-watch").unstarted(this::run);
    }

    static ResourceWatch start(BrowserHost host, PageLimits limits) {
        ResourceWatch watch = new ResourceWatch(host, limits);
        watch.thread.start();
        return watch;
    }

    /** Why this watch has just ended a process, if it has. */
    Optional<String> explain(String failure) {
        Ended ended = lastEnded;
        if (ended == null || System.nanoTime() - ended.atNs() > EXPLANATION_NS) {
            return Optional.empty();
        }
        return FOLLOWS.stream().anyMatch(failure::contains)
                ? Optional.of(ended.reason())
                : Optional.empty();
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(PERIOD);
                watchOnce();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** An exception must not end the watch: without it no limit holds. */
    private void watchOnce() {
        try {
            host.endIfIdle();
            check();
        } catch (RuntimeException e) {
            log.error("the limits of pages were not checked this time", e);
        }
    }

    private void check() {
        Optional<RunningBrowser> running = host.running();
        if (running.isEmpty()) {
            cpuNs.clear();
            return;
        }
        List<ProcessTree.Sample> samples = ProcessTree.of(running.get().browser().process());
        Map<Long, Deque<Long>> seen = new HashMap<>();
        long allBytes = 0;
        int pages = 0;
        for (ProcessTree.Sample each : samples) {
            allBytes += each.memoryBytes();
            if (!each.showsPages()) {
                continue;
            }
            pages++;
            Deque<Long> times = cpuNs.getOrDefault(each.pid(), new ArrayDeque<>());
            times.addLast(each.cpuNs());
            seen.put(each.pid(), times);
            if (each.memoryBytes() > limits.memoryBytes()) {
                // Freed with its process: no reason to end the browser with all other pages.
                allBytes -= each.memoryBytes();
                end(each, "the page needs more memory than overlay.page-memory");
            } else if (tooBusy(times)) {
                end(each, "the page needs more of the processor than overlay.page-cpu-percent");
            }
        }
        cpuNs = seen;
        if (allBytes > BROWSER_BYTES + (pages + 1) * limits.memoryBytes()) {
            setLastEnded("the browser needs too much memory for its pages (overlay.page-memory)");
            running.get().kill();
        }
    }

    private boolean tooBusy(Deque<Long> times) {
        if (times.size() <= CPU_PERIODS) {
            return false;
        }
        long usedNs = times.getLast() - times.removeFirst();
        return usedNs > PERIOD.toNanos() * CPU_PERIODS * limits.cpuPercent() / 100;
    }

    private void end(ProcessTree.Sample process, String reason) {
        setLastEnded(reason);
        ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroyForcibly);
    }

    private void setLastEnded(String reason) {
        log.warn("{}", reason);
        lastEnded = new Ended(reason, System.nanoTime());
    }
}
