package touchline.media.hub;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;

/**
 * Reading end of a {@link Feed}: a queue bounded in bytes. When it is full, access units are
 * dropped from there up to the next key frame for which there is room, and counted; timelines and
 * interruptions always get in. Written by the feed, read by one thread.
 */
public final class Subscription implements AutoCloseable {
    private final String name;
    private final long maxBytes;
    private final Consumer<Subscription> onClose;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();

    @GuardedBy("lock")
    private List<FeedItem> queue = new ArrayList<>();

    @GuardedBy("lock")
    private long queuedBytes;

    @GuardedBy("lock")
    private long droppedUnits;

    @GuardedBy("lock")
    private boolean dropping;

    @GuardedBy("lock")
    private boolean ended;

    Subscription(String name, long maxBytes, Consumer<Subscription> onClose) {
        this.name = name;
        this.maxBytes = maxBytes;
        this.onClose = onClose;
    }

    public String name() {
        return name;
    }

    /**
     * Waits for at least one item, then hands over all that wait, in order.
     *
     * @return false once the feed has ended and everything has been handed over
     */
    public boolean drain(Consumer<? super FeedItem> reader) throws InterruptedException {
        List<FeedItem> batch;
        lock.lock();
        try {
            while (queue.isEmpty() && !ended) {
                filled.await();
            }
            if (queue.isEmpty()) {
                return false;
            }
            batch = queue;
            queue = new ArrayList<>(batch.size());
            queuedBytes = 0;
        } finally {
            lock.unlock();
        }
        batch.forEach(reader);
        return true;
    }

    /** Units dropped so far because the reader was too slow. */
    public long droppedUnits() {
        lock.lock();
        try {
            return droppedUnits;
        } finally {
            lock.unlock();
        }
    }

    /** No more items; a waiting reader is released. */
    @Override
    public void close() {
        end();
        onClose.accept(this);
    }

    void offer(FeedItem item) {
        lock.lock();
        try {
            if (ended) {
                return;
            }
            if (item instanceof AccessUnit unit) {
                offerUnit(unit);
            } else {
                dropping = false;
                queue.add(item);
            }
        } finally {
            lock.unlock();
        }
    }

    void wake() {
        lock.lock();
        try {
            if (!queue.isEmpty()) {
                filled.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    void end() {
        lock.lock();
        try {
            ended = true;
            filled.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void offerUnit(AccessUnit unit) {
        long bytes = unit.payload().byteSize();
        if (dropping && unit.isKeyFrame() && queuedBytes + bytes <= maxBytes) {
            dropping = false;
        }
        if (dropping || queuedBytes + bytes > maxBytes) {
            dropping = true;
            droppedUnits++;
            return;
        }
        queuedBytes += bytes;
        queue.add(unit);
    }
}
