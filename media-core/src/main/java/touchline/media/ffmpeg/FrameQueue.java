package touchline.media.ffmpeg;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Queue between a thread that makes frames and one that uses them, with what must keep its place
 * between frames. Bounded in frames and in items. Any thread.
 *
 * @param <T> what passes, in order
 */
public final class FrameQueue<T extends FrameQueue.Item> {
    /** Patience of a writer that waits for as long as it takes. */
    public static final long FOREVER = Long.MAX_VALUE;

    private final int maxFrames;
    private final int maxItems;
    private final T end;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final ArrayDeque<T> items = new ArrayDeque<>();

    @GuardedBy("lock")
    private int frames;

    @GuardedBy("lock")
    private boolean closed;

    /** What passes. */
    public interface Item {
        /** The frame that it holds and its receiver closes; null without one. */
        default @Nullable VideoFrame held() {
            return null;
        }
    }

    /** What became of an item. */
    public enum Outcome {
        ADDED,
        /** There was no space for its frame, which is closed. */
        FULL,
        /** The queue is closed, and so is the item's frame. */
        CLOSED
    }

    /**
     * @param maxItems frames and others
     * @param end what a closed queue gives
     */
    public FrameQueue(int maxFrames, int maxItems, T end) {
        this.maxFrames = maxFrames;
        this.maxItems = maxItems;
        this.end = end;
    }

    /**
     * Adds an item. While the queue is full it waits; an item without a frame is added afterwards
     * all the same.
     *
     * @param patienceNs wait no longer for space
     * @throws InterruptedException while waiting; the item's frame is closed
     */
    public Outcome put(T item, long patienceNs) throws InterruptedException {
        lock.lock();
        try {
            long leftNs = patienceNs;
            while (leftNs > 0 && !closed && isFull()) {
                leftNs = changed.awaitNanos(leftNs);
            }
            boolean holds = item.held() != null;
            if (closed || (holds && isFull())) {
                release(item);
                return closed ? Outcome.CLOSED : Outcome.FULL;
            }
            frames += holds ? 1 : 0;
            items.add(item);
            changed.signalAll();
            return Outcome.ADDED;
        } catch (InterruptedException e) {
            release(item);
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for an item; the end when the queue is closed. */
    public T take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed && items.isEmpty()) {
                changed.await();
            }
            if (items.isEmpty()) {
                return end;
            }
            T item = items.remove();
            frames -= item.held() == null ? 0 : 1;
            changed.signalAll();
            return item;
        } finally {
            lock.unlock();
        }
    }

    /** Closes waiting frames and ends all waits. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            items.forEach(FrameQueue::release);
            items.clear();
            frames = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private boolean isFull() {
        return frames >= maxFrames || items.size() >= maxItems;
    }

    private static void release(Item item) {
        VideoFrame frame = item.held();
        if (frame != null) {
            frame.close();
        }
    }
}
