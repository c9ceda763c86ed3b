package touchline.overlay.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import touchline.overlay.Canvas;
import touchline.overlay.VideoBox;

/**
 * Frames of the overlay stream that wait for their time, and the shown one. Bounded: drops the
 * oldest. The overlay stream's thread writes, the compositing thread reads.
 */
final class OverlayFrameQueue {
    /** 1.28 s at 50 frames per second, several times the jitter buffer. */
    private static final int MAX_FRAMES = 64;

    /**
     * A frame and its time.
     *
     * @param ptsUs in the overlay stream's time
     */
    record Timed(VideoBox frame, long ptsUs) {}

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Deque<Timed> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private @Nullable Timed current;

    void offer(Timed frame) {
        lock.lock();
        try {
            if (waiting.size() == MAX_FRAMES) {
                waiting.removeFirst();
            }
            waiting.add(frame);
        } finally {
            lock.unlock();
        }
    }

    /** Drops waiting frames, which belong to another clock; the shown one stays. */
    void restarted() {
        lock.lock();
        try {
            waiting.clear();
        } finally {
            lock.unlock();
        }
    }

    /** The newest due frame, else the last one; empty before the first, and for another canvas. */
    Optional<Timed> at(long overlayUs, Canvas canvas) {
        lock.lock();
        try {
            while (!waiting.isEmpty() && waiting.getFirst().ptsUs() <= overlayUs) {
                current = waiting.removeFirst();
            }
            return shown(canvas);
        } finally {
            lock.unlock();
        }
    }

    /** The frame that was shown last. */
    Optional<Timed> current(Canvas canvas) {
        lock.lock();
        try {
            return shown(canvas);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Optional<Timed> shown(Canvas canvas) {
        return Optional.ofNullable(current).filter(each -> each.frame().canvas().equals(canvas));
    }
}
