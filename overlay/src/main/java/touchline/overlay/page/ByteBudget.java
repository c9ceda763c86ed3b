package touchline.overlay.page;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** Limits bytes per minute; each minute starts at the first bytes after the last. Any thread. */
final class ByteBudget {
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);

    private final long bytesPerMinute;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private long minuteStartNs;

    @GuardedBy("lock")
    private long spentBytes;

    ByteBudget(long bytesPerMinute, LongSupplier nanoTime) {
        this.bytesPerMinute = bytesPerMinute;
        this.nanoTime = nanoTime;
        this.minuteStartNs = nanoTime.getAsLong();
    }

    /** Whether these bytes fit the limit; counts them only if they do. */
    boolean spend(int bytes) {
        lock.lock();
        try {
            long nowNs = nanoTime.getAsLong();
            if (nowNs - minuteStartNs >= MINUTE_NS) {
                minuteStartNs = nowNs;
                spentBytes = 0;
            }
            if (bytes > bytesPerMinute - spentBytes) {
                return false;
            }
            spentBytes += bytes;
            return true;
        } finally {
            lock.unlock();
        }
    }
}
