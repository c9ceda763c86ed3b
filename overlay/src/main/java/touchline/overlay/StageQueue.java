package touchline.overlay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import touchline.media.FeedItem;
import touchline.media.ffmpeg.VideoFrame;

/**
 * Between the thread that decodes and the one that composes: never more than {@value #MAX_FRAMES}
 * frames and {@value #MAX_ITEMS} items. Whoever decodes waits while it is full; the composing
 * thread leaves frames out that have become too old, so that nobody waits for long.
 */
final class StageQueue {
    static final int MAX_FRAMES = 8;
    static final int MAX_ITEMS = 512;

    /** What the decoding thread hands over, in the order of the source. */
    sealed interface Item {
        /**
         * A frame, owned by who takes it.
         *
         * @param arrivedNs when its coded frame came to the compositor
         * @param codedBytes that have come in since the last frame
         */
        record Decoded(VideoFrame frame, long arrivedNs, long codedBytes) implements Item {}

        /** A timeline, an interruption or a unit of audio. */
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

    /** Waits for room; false when the queue is closed, and then a frame is closed too. */
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

    /** Releases what waits, and whoever waits. */
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
