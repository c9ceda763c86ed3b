package touchline.media.signal;

import java.time.InstantSource;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.concurrent.ThreadPriority;
import touchline.media.decoding.GopDecoders;

/**
 * Watches sessions with a few platform threads of low priority, whatever their number. A session
 * that is not reached in time loses media of its watch, and nothing else. Any thread.
 */
public final class SignalWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SignalWatch.class);

    private static final int MAX_THREADS = 4;
    private static final int NICENESS = 2;
    private static final long PERIOD_MS = 100;
    private static final long STOP_SECONDS = 5;

    private final ScheduledThreadPoolExecutor executor;
    private final SessionSignal.Dependencies dependencies;

    /** A session that is watched until this is closed. */
    public static final class Watched implements AutoCloseable {
        private final SessionSignal signal;
        private final ScheduledFuture<?> work;
        private final ScheduledThreadPoolExecutor executor;

        private Watched(
                SessionSignal signal,
                ScheduledFuture<?> work,
                ScheduledThreadPoolExecutor executor) {
            this.signal = signal;
            this.work = work;
            this.executor = executor;
        }

        /** The samples so far; readable after the end as well. */
        public SignalHistory history() {
            return signal.history();
        }

        /** Ends the faults and the watch; does not block. */
        @Override
        public void close() {
            signal.close();
            boolean _ = work.cancel(/* mayInterruptIfRunning= */ false);
            try {
                executor.execute(signal::release);
            } catch (RejectedExecutionException _) {
                // The executor has ended: no thread works any more.
                signal.release();
            }
        }
    }

    /**
     * @param decoders of key frames: in this process, or in child processes
     */
    public SignalWatch(GopDecoders decoders, SignalCounters counters, InstantSource clock) {
        dependencies = new SessionSignal.Dependencies(decoders, counters, clock, System::nanoTime);
        AtomicInteger number = new AtomicInteger();
        executor =
                new ScheduledThreadPoolExecutor(
                        threads(),
                        work ->
                                Thread.ofPlatform()
                                        .name("signal-" + number.incrementAndGet())
                                        .daemon()
                                        .unstarted(
                                                () -> {
                                                    ThreadPriority.lower(NICENESS);
                                                    work.run();
                                                }));
        executor.setRemoveOnCancelPolicy(true);
    }

    private static int threads() {
        return Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, MAX_THREADS);
    }

    /**
     * Watches a session. The caller closes the result.
     *
     * @param owner such as a session id
     * @param media closed with the result
     */
    public Watched watch(String owner, WatchedMedia media, SignalListener listener) {
        SessionSignal signal = new SessionSignal(owner, media, listener, dependencies);
        ScheduledFuture<?> work =
                executor.scheduleWithFixedDelay(
                        signal::work, PERIOD_MS, PERIOD_MS, TimeUnit.MILLISECONDS);
        return new Watched(signal, work, executor);
    }

    public SignalCounters counters() {
        return dependencies.counters();
    }

    /** Ends the threads; called when no session is watched any more. */
    @Override
    public void close() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                log.warn("the watch of signals has not ended in time");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
