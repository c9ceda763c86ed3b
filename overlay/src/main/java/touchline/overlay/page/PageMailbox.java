package touchline.overlay.page;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Events and requests for a page's thread, from the browser and the page's owner. Keeps the newest
 * frame only, and a flag for each other kind. Any thread.
 *
 * <p>Each event has the number of its attempt, so that late events of a replaced page are dropped.
 */
final class PageMailbox {
    /**
     * A frame from the screencast.
     *
     * @param number for the acknowledgement
     */
    record Frame(ByteBuffer base64, int number, long sinceNs) {}

    /**
     * Everything since the last call.
     *
     * @param failure why the page failed
     * @param loading another load has started
     * @param loaded the load has ended
     * @param reload the owner requests a reload
     * @param closed the owner has closed the page
     */
    record Update(
            Optional<Frame> frame,
            Optional<String> failure,
            boolean loading,
            boolean loaded,
            boolean reload,
            boolean closed) {
        boolean isEmpty() {
            return frame.isEmpty() && failure.isEmpty() && !(loading || loaded || reload || closed);
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private int attempt;

    @GuardedBy("lock")
    private @Nullable Frame frame;

    @GuardedBy("lock")
    private @Nullable String failure;

    @GuardedBy("lock")
    private boolean loading;

    @GuardedBy("lock")
    private boolean loaded;

    @GuardedBy("lock")
    private boolean reload;

    @GuardedBy("lock")
    private boolean closed;

    /** Drops the events of the last attempt and returns the number of the new one. */
    int begin() {
        lock.lock();
        try {
            frame = null;
            failure = null;
            loading = false;
            loaded = false;
            reload = false;
            return ++attempt;
        } finally {
            lock.unlock();
        }
    }

    void frame(int ofAttempt, Frame newest) {
        lock.lock();
        try {
            if (ofAttempt == attempt) {
                frame = newest;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Keeps the first reason: later ones are consequences. */
    void fail(int ofAttempt, String reason) {
        lock.lock();
        try {
            if (ofAttempt == attempt) {
                if (failure == null) {
                    failure = reason;
                }
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    void loading(int ofAttempt) {
        lock.lock();
        try {
            if (ofAttempt == attempt) {
                loading = true;
                loaded = false;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    void loaded(int ofAttempt) {
        lock.lock();
        try {
            if (ofAttempt == attempt) {
                loaded = true;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Drops the waiting frame. */
    void discardFrame() {
        lock.lock();
        try {
            frame = null;
        } finally {
            lock.unlock();
        }
    }

    void reload() {
        lock.lock();
        try {
            reload = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean closed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for an event until a {@link System#nanoTime}. */
    Update await(long untilNs) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            Update update = takeAll();
            for (long leftNs = untilNs - System.nanoTime();
                    update.isEmpty() && leftNs > 0;
                    leftNs = untilNs - System.nanoTime()) {
                changed.awaitNanos(leftNs);
                update = takeAll();
            }
            return update;
        } finally {
            lock.unlock();
        }
    }

    /** Waits; a reload or close ends the pause. */
    void pause(long untilNs) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            for (long leftNs = untilNs - System.nanoTime();
                    !closed && !reload && leftNs > 0;
                    leftNs = untilNs - System.nanoTime()) {
                changed.awaitNanos(leftNs);
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Update takeAll() {
        Update update =
                new Update(
                        Optional.ofNullable(frame),
                        Optional.ofNullable(failure),
                        loading,
                        loaded,
                        reload,
                        closed);
        frame = null;
        failure = null;
        loading = false;
        loaded = false;
        reload = false;
        return update;
    }
}
