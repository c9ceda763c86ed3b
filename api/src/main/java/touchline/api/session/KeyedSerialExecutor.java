package touchline.api.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.StreamId;

/**
 * Work on the database that must be done in order for each stream: one step after the other on a
 * virtual thread that lives while there are some, each tried again while it fails. Any thread.
 */
final class KeyedSerialExecutor implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(KeyedSerialExecutor.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(3);

    /** Steps of one stream that may wait. */
    private static final int MOST_WAITING = 1_000;

    private final CountDownLatch stopping = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition drained = lock.newCondition();

    /** Steps that wait, by stream; a stream is there while a thread works at it. */
    @GuardedBy("lock")
    private final Map<StreamId, ArrayDeque<Step>> waiting = new HashMap<>();

    /**
     * @param what its name in the log
     * @param tries how often it is tried, a second apart
     * @param given done instead when it has failed for good
     */
    record Step(String what, int tries, Runnable work, Runnable given) {}

    /** Adds a step behind the others of its stream. Does not block. */
    void add(StreamId stream, Step step) {
        lock.lock();
        try {
            ArrayDeque<Step> queue = waiting.get(stream);
            if (queue == null) {
                queue = new ArrayDeque<>();
                waiting.put(stream, queue);
                Thread.ofVirtual().name("ledger-" + stream).start(() -> drain(stream));
            }
            if (queue.size() < MOST_WAITING) {
                queue.add(step);
                return;
            }
        } finally {
            lock.unlock();
        }
        log.error("stream={} its {} is not stored: too much waits already", stream, step.what());
        step.given().run();
    }

    private void drain(StreamId stream) {
        Optional<Step> next = next(stream);
        while (next.isPresent()) {
            run(stream, next.get());
            next = next(stream);
        }
    }

    private Optional<Step> next(StreamId stream) {
        lock.lock();
        try {
            ArrayDeque<Step> queue = waiting.get(stream);
            if (queue == null || queue.isEmpty()) {
                waiting.remove(stream);
                drained.signalAll();
                return Optional.empty();
            }
            return Optional.of(queue.removeFirst());
        } finally {
            lock.unlock();
        }
    }

    private void run(StreamId stream, Step step) {
        for (int left = step.tries(); left > 0; left--) {
            try {
                step.work().run();
                return;
            } catch (RuntimeException e) {
                log.warn(
                        "stream={} its {} is not stored yet: {}",
                        stream,
                        step.what(),
                        e.getMessage());
                if (left == 1 || !pause()) {
                    break;
                }
            }
        }
        log.error("stream={} its {} could not be stored", stream, step.what());
        step.given().run();
    }

    /** False where the server stops: there is time for one more try only. */
    private boolean pause() {
        try {
            return !stopping.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Waits until everything is done, for a while. */
    @Override
    public void close() {
        stopping.countDown();
        lock.lock();
        try {
            long leftNs = CLOSE_PATIENCE.toNanos();
            while (!waiting.isEmpty() && leftNs > 0) {
                leftNs = drained.awaitNanos(leftNs);
            }
            if (!waiting.isEmpty()) {
                log.warn("the ends of sessions are not stored: the next start does it");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
