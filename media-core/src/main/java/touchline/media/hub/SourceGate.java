package touchline.media.hub;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import touchline.media.FeedItem;

/**
 * What goes into a session's source, and from whom: once the gate is closed to a publication,
 * nothing of it passes any more, whatever its thread is doing. Any thread.
 */
final class SourceGate {
    private final ReentrantLock lock = new ReentrantLock();
    private final Feed source;
    private final IngestMonitor monitor;

    @GuardedBy("lock")
    private @Nullable Publication writer;

    SourceGate(Feed source, IngestMonitor monitor) {
        this.source = source;
        this.monitor = monitor;
    }

    void open(Publication next) {
        lock.lock();
        try {
            writer = next;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            writer = null;
        } finally {
            lock.unlock();
        }
    }

    /** Dropped unless the gate is open to this publication. */
    void pass(Publication from, FeedItem item) {
        lock.lock();
        try {
            if (writer == from) {
                monitor.observe(item);
                source.offer(item);
            }
        } finally {
            lock.unlock();
        }
    }
}
