package touchline.api.demo;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import touchline.media.AccessUnit;

/**
 * Between the drawing thread and the pushing thread: about three seconds of access units. It is
 * open while there is a connection, and starts with a key frame. When the network falls behind, all
 * that waits is dropped, and what follows up to the next key frame.
 */
final class MatchQueue {
    private static final int CAPACITY = 256;

    private final Object lock = new Object();

    @GuardedBy("lock")
    private final Deque<AccessUnit> units = new ArrayDeque<>();

    @GuardedBy("lock")
    private boolean open;

    @GuardedBy("lock")
    private boolean needsKeyFrame;

    @GuardedBy("lock")
    private long dropped;

    /** A connection stands. Pushing thread. */
    void open() {
        synchronized (lock) {
            units.clear();
            needsKeyFrame = true;
            open = true;
        }
    }

    /** The connection is gone. Pushing thread. */
    void shut() {
        synchronized (lock) {
            open = false;
            units.clear();
        }
    }

    boolean isOpen() {
        synchronized (lock) {
            return open;
        }
    }

    /** Whether the next frame must be a key frame. Drawing thread. */
    boolean needsKeyFrame() {
        synchronized (lock) {
            return needsKeyFrame;
        }
    }

    /** Drawing thread. */
    void put(AccessUnit unit) {
        synchronized (lock) {
            if (!open) {
                return;
            }
            if (units.size() >= CAPACITY) {
                dropped += units.size();
                units.clear();
                needsKeyFrame = true;
            }
            if (needsKeyFrame && !unit.isKeyFrame()) {
                return;
            }
            needsKeyFrame = false;
            units.addLast(unit);
            lock.notifyAll();
        }
    }

    /** Waits for a unit; empty after the time given. Pushing thread. */
    Optional<AccessUnit> take(Duration patience) throws InterruptedException {
        long deadlineNs = System.nanoTime() + patience.toNanos();
        synchronized (lock) {
            while (units.isEmpty()) {
                long leftMs = (deadlineNs - System.nanoTime()) / 1_000_000;
                if (leftMs <= 0) {
                    return Optional.empty();
                }
                lock.wait(leftMs);
            }
            return Optional.of(units.removeFirst());
        }
    }

    /** Units that were taken back since the network was too slow. */
    long dropped() {
        synchronized (lock) {
            return dropped;
        }
    }
}
