package touchline.api.db;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.StreamId;
import touchline.media.concurrent.KeyedSerialExecutor;

/**
 * Writes of each stream, in their order, on virtual threads. A step that fails is tried again. Any
 * thread.
 */
public final class StreamWrites implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(StreamWrites.class);

    /** Steps of one stream that may wait. */
    private static final int MAX_WAITING = 1_000;

    private final CountDownLatch stopping = new CountDownLatch(1);
    private final KeyedSerialExecutor<StreamId> executor =
            new KeyedSerialExecutor<>("stream-writes-", MAX_WAITING);
    private final Timing timing;

    /**
     * @param pause between two tries
     * @param closeLimit of {@link #close}
     */
    public record Timing(Duration pause, Duration closeLimit) {
        public static final Timing REAL = new Timing(Duration.ofSeconds(1), Duration.ofSeconds(3));
    }

    /**
     * @param what its name in the log
     * @param tries the maximum number of tries; at shutdown one more at once
     * @param onGivenUp runs instead after the last failure
     */
    public record Step(String what, int tries, Runnable work, Runnable onGivenUp) {}

    public StreamWrites() {
        this(Timing.REAL);
    }

    public StreamWrites(Timing timing) {
        this.timing = timing;
    }

    /** Adds a step behind the others of its stream. Does not block. */
    public void add(StreamId stream, Step step) {
        if (!executor.execute(stream, () -> run(stream, step))) {
            log.error(
                    "stream={} {} is not stored: {} steps wait already",
                    stream,
                    step.what(),
                    MAX_WAITING);
            step.onGivenUp().run();
        }
    }

    private void run(StreamId stream, Step step) throws InterruptedException {
        boolean stored = false;
        try {
            stored = tryAll(stream, step);
        } finally {
            if (!stored) {
                log.error("stream={} {} could not be stored", stream, step.what());
                step.onGivenUp().run();
            }
        }
    }

    /** A try that begins after {@link #close} is the last one of its step. */
    private boolean tryAll(StreamId stream, Step step) throws InterruptedException {
        for (int left = step.tries(); left > 0; left--) {
            boolean last = left == 1 || stopping.getCount() == 0;
            try {
                step.work().run();
                return true;
            } catch (FencedException e) {
                log.warn("stream={} {}: {}", stream, step.what(), e.getMessage());
                return false;
            } catch (RuntimeException e) {
                log.warn("stream={} {} is not stored: {}", stream, step.what(), e.getMessage());
            } catch (Error e) {
                log.error("stream={} {} is not stored", stream, step.what(), e);
            }
            if (last) {
                break;
            }
            boolean _ = stopping.await(timing.pause().toMillis(), TimeUnit.MILLISECONDS);
        }
        return false;
    }

    /**
     * Waits for a limited time until all steps are stored. A failed step is tried once more, at
     * once.
     */
    @Override
    public void close() {
        stopping.countDown();
        try {
            if (!executor.awaitIdle(timing.closeLimit())) {
                log.warn("some writes of streams are not stored");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
