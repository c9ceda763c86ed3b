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
 * Frames of the second stream that wait for their moment, and the one that is shown. Bounded: the
 * oldest gives way. The second stream's thread writes, the compositing thread reads.
 */
final class OverlayFrameQueue {
    /** A second and a quarter at 50 frames a second: the jitter buffer, several times. */
    private static final int MAX_FRAMES = 64;

    /**
     * A frame and its moment.
     *
     * @param ptsUs in the second stream's time
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

    /** What waits is of another clock now; what is shown stays. */
    void restarted() {
        lock.lock();
        try {
            waiting.clear();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The newest frame that is due, else the one before; empty before the first, and where it was
     * made for another canvas.
     */
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

    /** The one that was shown last. */
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
