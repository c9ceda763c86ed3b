package touchline.media.concurrent;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.OptionalInt;
import java.util.function.LongSupplier;

/** Limits the log lines per second and counts the dropped ones. Any thread. */
public final class LineLimit {
    private static final long SECOND_NS = 1_000_000_000L;

    private final int perSecond;
    private final LongSupplier clockNs;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private long windowStartNs;

    @GuardedBy("lock")
    private int linesInWindow;

    /**
     * @param clockNs monotonic time in nanoseconds
     */
    public LineLimit(int perSecond, LongSupplier clockNs) {
        this.perSecond = perSecond;
        this.clockNs = clockNs;
        this.windowStartNs = clockNs.getAsLong();
    }

    /**
     * Returns empty if the line exceeds the limit, else the number of dropped lines not yet
     * reported.
     */
    public OptionalInt admit() {
        synchronized (lock) {
            int leftOut = 0;
            long now = clockNs.getAsLong();
            if (now - windowStartNs >= SECOND_NS) {
                leftOut = Math.max(0, linesInWindow - perSecond);
                windowStartNs = now;
                linesInWindow = 0;
            }
            linesInWindow++;
            return linesInWindow > perSecond ? OptionalInt.empty() : OptionalInt.of(leftOut);
        }
    }
}
