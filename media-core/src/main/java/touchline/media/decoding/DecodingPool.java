package touchline.media.decoding;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.Track;
import touchline.media.worker.WorkerIsolation;
import touchline.media.worker.WorkerLaunch;
import touchline.media.worker.WorkerLimits;
import touchline.media.worker.WorkerPool;

/**
 * Decoders in a few child processes. An owner's decoders are always in the same place, so media
 * that crashes its child harms only owners of that place. Children start on demand, and end with
 * the server or when they are unused. Any thread.
 */
public final class DecodingPool implements GopDecoders, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DecodingPool.class);

    /** Memory of a child that is not its decoders': JVM, libraries, the frame that is written. */
    private static final long OVERHEAD_BYTES = 320L << 20;

    /** Longer than a process has for its end. */
    private static final long TIMER_END_SECONDS = 10;

    private final WorkerPool workers;
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().name("decoding-timer").daemon().factory());
    private final ChildSlot.Counts counts = new ChildSlot.Counts();
    private final List<ChildSlot> slots;

    /**
     * @param children maximum number of processes
     * @param deadline of a request; the process is killed after it
     * @param idle an unused process ends after this time
     */
    public record Settings(int children, Duration deadline, Duration idle) {}

    /**
     * @param launch of each process; its main program serves {@link DecodeHandler}
     */
    public DecodingPool(WorkerLaunch launch, Settings settings) {
        this(new WorkerPool(launch), launch.limits(), settings);
    }

    /**
     * @param launch of each process; its main program serves {@link DecodeHandler}
     * @param isolation called once, before the first start; may block
     */
    public DecodingPool(
            WorkerLaunch launch, Supplier<WorkerIsolation> isolation, Settings settings) {
        this(new WorkerPool(launch, isolation), launch.limits(), settings);
    }

    private DecodingPool(WorkerPool workers, WorkerLimits limits, Settings settings) {
        this.workers = workers;
        timer.setRemoveOnCancelPolicy(true);
        ChildSlot.Settings each =
                new ChildSlot.Settings(
                        () -> DecodingChild.start(workers, settings.deadline()),
                        settings.idle(),
                        limits.dataBytes() - limits.heapBytes() - OVERHEAD_BYTES,
                        counts);
        slots =
                IntStream.range(0, settings.children())
                        .mapToObj(_ -> new ChildSlot(each, timer))
                        .toList();
    }

    @Override
    public GopDecoder open(Track track, String owner) {
        return IsolatedGopDecoder.open(
                track, slots.get(Math.floorMod(owner.hashCode(), slots.size())));
    }

    /** Returns the process ids of the running children. */
    public LongStream pids() {
        return slots.stream().map(ChildSlot::pid).flatMapToLong(pid -> pid.stream());
    }

    /** Returns the number of children that were started. */
    public long started() {
        return counts.started().get();
    }

    /** Returns the number of children that crashed, ran out of memory or were killed. */
    public long crashed() {
        return counts.crashed().get();
    }

    /** Ends all children, also busy ones, and waits for one that is being ended as unused. */
    @Override
    public void close() {
        timer.shutdownNow();
        workers.close();
        slots.forEach(ChildSlot::close);
        try {
            if (!timer.awaitTermination(TIMER_END_SECONDS, TimeUnit.SECONDS)) {
                log.warn("an unused decoding process does not end");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
