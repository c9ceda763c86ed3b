package touchline.media.rendition;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import touchline.media.Timeline;
import touchline.media.ffmpeg.VideoFrame;

/** Queue between the scaling thread and the encoder of one rendition. Bounded in frames. */
final class EncodingQueue {
    static final int MAX_FRAMES = 16;

    /** Timelines and interruptions besides frames. */
    private static final int MAX_ITEMS = 64;

    /** An item, in order. */
    sealed interface Item {
        /**
         * A scaled frame, which the receiver closes.
         *
         * @param times of the unit that it becomes
         */
        record Frame(VideoFrame frame, FrameTimes.Times times) implements Item {
            void release() {
                frame.close();
            }
        }

        /**
         * A timeline of the program begins.
         *
         * @param stream how its frames are encoded
         */
        record Begin(Timeline program, EncodedStream stream) implements Item {}

        /** The publisher is gone. */
        record Gap() implements Item {}

        /** The program has ended. */
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

    /**
     * Adds an item. A frame that finds the queue full is closed.
     *
     * @param patienceNs wait no longer for space
     * @return false if there was no space
     */
    boolean put(Item item, long patienceNs) throws InterruptedException {
        lock.lock();
        try {
            long leftNs = patienceNs;
            while (leftNs > 0 && !closed && isFull()) {
                leftNs = changed.awaitNanos(leftNs);
            }
            boolean isFrame = item instanceof Item.Frame;
            if (!closed && !(isFrame && isFull())) {
                frames += isFrame ? 1 : 0;
                items.add(item);
                changed.signalAll();
                return true;
            }
            release(item);
            return closed;
        } catch (InterruptedException e) {
            release(item);
            throw e;
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
            if (item instanceof Item.Frame) {
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
            items.forEach(EncodingQueue::release);
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
        if (item instanceof Item.Frame frame) {
            frame.release();
        }
    }
}
