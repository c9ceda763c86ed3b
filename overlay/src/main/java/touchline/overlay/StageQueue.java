package touchline.overlay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import touchline.media.FeedItem;
import touchline.media.ffmpeg.VideoFrame;

/**
 * Queue between the decoding and the compositing thread: at most {@value #MAX_FRAMES} frames and
 * {@value #MAX_ITEMS} items. The decoding thread waits while it is full. The compositing thread
 * drops frames that are too old, so that waits stay short.
 */
final class StageQueue {
    static final int MAX_FRAMES = 8;
    static final int MAX_ITEMS = 512;

    /** An item, in the order of the source. */
    sealed interface Item {
        /**
         * A frame; the receiver closes it.
         *
         * @param arrivedNs arrival of its access unit at the compositor
         * @param codedBytes coded bytes since the last frame
         */
        record Decoded(VideoFrame frame, long arrivedNs, long codedBytes) implements Item {}

        /** A timeline, an interruption or an audio unit. */
        record Passing(FeedItem item) implements Item {}

        /** The source has ended. */
        record End() implements Item {}
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final ArrayDeque<Item> items = new ArrayDeque<>();

    @GuardedBy("lock")
    private int frames;

    @GuardedBy("lock")
    private boolean closed;

    /** Waits for space; false if the queue is closed, and closes the item's frame then. */
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
                frames++;
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
                frames--;
            }
            changed.signalAll();
            return item;
        } finally {
            lock.unlock();
        }
    }

    /** Closes waiting frames and ends all waits. */
    void close() {
        lock.lock();
        try {
            closed = true;
            items.forEach(StageQueue::release);
            items.clear();
            frames = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private boolean isFull() {
        return frames >= MAX_FRAMES || items.size() >= MAX_ITEMS;
    }

    private static void release(Item item) {
        if (item instanceof Item.Decoded(VideoFrame frame, long _, long _)) {
            frame.close();
        }
    }
}
