package touchline.api.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import touchline.media.StreamId;

/**
 * Keeps ended sessions for viewers that have not reached the end. At most {@value #MAX_PER_STREAM}
 * sessions of a stream stay: one more releases the oldest, whose playlists and segments answer 404
 * from then on. Otherwise an encoder that reconnects without a reconnect window would fill the
 * memory. Any thread.
 */
final class LingeringSessions implements AutoCloseable {
    static final int MAX_PER_STREAM = 8;

    private final ReentrantLock lock = new ReentrantLock();

    /** Released by counting down; the oldest first. */
    @GuardedBy("lock")
    private final Map<StreamId, ArrayDeque<CountDownLatch>> sessions = new HashMap<>();

    @GuardedBy("lock")
    private boolean closed;

    /** Blocks the thread of an ended session until the time is over or the session is released. */
    void await(StreamId stream, Duration atMost) throws InterruptedException {
        CountDownLatch released = new CountDownLatch(1);
        add(stream, released);
        try {
            boolean _ = released.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            remove(stream, released);
        }
    }

    private void add(StreamId stream, CountDownLatch released) {
        lock.lock();
        try {
            if (closed) {
                released.countDown();
                return;
            }
            ArrayDeque<CountDownLatch> of =
                    sessions.computeIfAbsent(stream, _ -> new ArrayDeque<>());
            of.addLast(released);
            if (of.size() > MAX_PER_STREAM) {
                of.removeFirst().countDown();
            }
        } finally {
            lock.unlock();
        }
    }

    private void remove(StreamId stream, CountDownLatch released) {
        lock.lock();
        try {
            ArrayDeque<CountDownLatch> of = sessions.get(stream);
            if (of != null) {
                of.remove(released);
                if (of.isEmpty()) {
                    sessions.remove(stream);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Releases all sessions, and those to come: the server stops. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            sessions.values().forEach(of -> of.forEach(CountDownLatch::countDown));
        } finally {
            lock.unlock();
        }
    }
}
