package touchline.api.restream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The bitrate of the last {@value #WINDOW_S} seconds, from a growing number of bytes. Any thread.
 */
final class SentRate {
    private static final int WINDOW_S = 5;
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(WINDOW_S);
    private static final long BITS_NS = 8 * TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final ArrayDeque<Point> points = new ArrayDeque<>();

    private record Point(long ns, long bytes) {}

    SentRate(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Notes the number of bytes so far. */
    void note(long bytes) {
        long now = nanoTime.getAsLong();
        lock.lock();
        try {
            if (points.isEmpty() || now - points.getLast().ns() >= STEP_NS) {
                points.add(new Point(now, bytes));
            }
            forget(now);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Bits a second, 0 before half a second is measured.
     *
     * @param bytes so far
     */
    long bps(long bytes) {
        long now = nanoTime.getAsLong();
        lock.lock();
        try {
            forget(now);
            if (points.isEmpty()) {
                return 0;
            }
            Point first = points.getFirst();
            long ns = now - first.ns();
            return ns < STEP_NS ? 0 : Math.round((bytes - first.bytes()) * (double) BITS_NS / ns);
        } finally {
            lock.unlock();
        }
    }

    /** A new connection begins: no bytes so far. */
    void restart() {
        lock.lock();
        try {
            points.clear();
            points.add(new Point(nanoTime.getAsLong(), 0));
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void forget(long now) {
        while (points.size() > 1 && now - points.getFirst().ns() > WINDOW_NS) {
            points.removeFirst();
        }
    }
}
