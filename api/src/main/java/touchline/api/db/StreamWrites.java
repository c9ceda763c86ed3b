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
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(3);

    /** Steps of one stream that may wait. */
    private static final int MAX_WAITING = 1_000;

    private final CountDownLatch stopping = new CountDownLatch(1);
    private final KeyedSerialExecutor<StreamId> executor =
            new KeyedSerialExecutor<>("stream-writes-", MAX_WAITING);

    /**
     * @param what its name in the log
     * @param tries the maximum number of tries, a second apart; at shutdown one more at once
     * @param onGivenUp runs instead after the last failure
     */
    public record Step(String what, int tries, Runnable work, Runnable onGivenUp) {}

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
            boolean _ = stopping.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        }
        return false;
    }

    /**
     * Waits a few seconds until all steps are stored. A failed step is tried once more, at once.
     */
    @Override
    public void close() {
        stopping.countDown();
        try {
            if (!executor.awaitIdle(CLOSE_LIMIT)) {
                log.warn("some writes of streams are not stored");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
