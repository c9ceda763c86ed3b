package touchline.overlay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import touchline.media.FeedItem;
import touchline.media.ffmpeg.Picture;

/**
 * Between the thread that decodes and the one that composes: never more than {@value #MAX_PICTURES}
 * pictures and {@value #MAX_ITEMS} items. Whoever decodes waits while it is full; the composing
 * thread leaves pictures out that have become too old, so that nobody waits for long.
 */
final class StageQueue {
    static final int MAX_PICTURES = 8;
    static final int MAX_ITEMS = 512;

    /** What the decoding thread hands over, in the order of the source. */
    sealed interface Item {
        /**
         * A picture, owned by who takes it.
         *
         * @param arrivedNs when its coded picture came to the compositor
         * @param codedBytes that have come in since the last picture
         */
        record Decoded(Picture picture, long arrivedNs, long codedBytes) implements Item {}

        /** A timeline, an interruption or a unit of sound. */
        record Passing(FeedItem item) implements Item {}

        /** The source has ended. */
        record End() implements Item {}
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final ArrayDeque<Item> items = new ArrayDeque<>();

    @GuardedBy("lock")
    private int pictures;

    @GuardedBy("lock")
    private boolean closed;

    /** Waits for room; false when the queue is closed, and then a picture is closed too. */
    boolean put(Item item) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed && isFull()) {
                changed.await();
            }
            if (closed) {
                release(item);
                return false;
            }
            if (item instanceof Item.Decoded) {
                pictures++;
            }
            items.add(item);
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for an item; {@link Item.End} when the queue is closed. */
    Item take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed && items.isEmpty()) {
                changed.await();
            }
            if (items.isEmpty()) {
                return new Item.End();
            }
            Item item = items.remove();
            if (item instanceof Item.Decoded) {
                pictures--;
            }
            changed.signalAll();
            return item;
        } finally {
            lock.unlock();
        }
    }

    /** Releases what waits, and whoever waits. */
    void close() {
        lock.lock();
        try {
            closed = true;
            items.forEach(StageQueue::release);
            items.clear();
            pictures = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private boolean isFull() {
        return pictures >= MAX_PICTURES || items.size() >= MAX_ITEMS;
    }

    private static void release(Item item) {
        if (item instanceof Item.Decoded(Picture picture, long _, long _)) {
            picture.close();
        }
    }
}
