package touchline.overlay.page;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What a page's thread is waiting for: what the browser says about the page, and what its owner
 * wants. Of frames only the newest is kept, of everything else whether it happened. Any thread.
 *
 * <p>What the browser says carries the number of the try it is about, so that nothing of a page
 * that was replaced is taken for the next one's.
 */
final class PageMailbox {
    /**
     * A frame as it came.
     *
     * @param number of the screencast's, to be acknowledged
     */
    record Frame(ByteBuffer base64, int number, long sinceNs) {}

    /**
     * All that came since the last time.
     *
     * @param failure why the page is not shown any more
     * @param loading another load has begun
     * @param loaded the load has ended
     * @param reload its owner wants it loaded once more
     * @param closed its owner needs it no more
     */
    record News(
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

    /** Forgets the try before; answers the number of the one that begins. */
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

    /** Of more than one, the first: the others follow from it. */
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

    /** Passes over the frame that waits. */
    void forgetFrame() {
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

    /** Waits for news until a time of {@link System#nanoTime}. */
    News await(long untilNs) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            News news = taken();
            for (long leftNs = untilNs - System.nanoTime();
                    news.isEmpty() && leftNs > 0;
                    leftNs = untilNs - System.nanoTime()) {
                changed.awaitNanos(leftNs);
                news = taken();
            }
            return news;
        } finally {
            lock.unlock();
        }
    }

    /** Waits out a pause; a reload that is asked for, and a close, end it. */
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
    private News taken() {
        News news =
                new News(
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
        return news;
    }
}
