package touchline.media.rendition;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * How many renditions this host encodes: one for all sessions. Sessions report when they are
 * behind; then one rendition at a time is dropped, and after a steady while one at a time is taken
 * back. If that was too early, the next wait is twice as long. Any thread.
 */
public final class LoadRules {
    /** Until a drop shows its effect. */
    private static final long SETTLE_NS = TimeUnit.MILLISECONDS.toNanos(700);

    static final long FIRST_WAIT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long MAX_WAIT_NS = TimeUnit.MINUTES.toNanos(5);

    /** With a higher load of the host no rendition is taken back. */
    private static final double MAX_HOST_LOAD = 0.8;

    private final IntSupplier limit;
    private final DoubleSupplier hostLoad;
    private final LongSupplier nanoTime;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private int running;

    @GuardedBy("lock")
    private long droppedNs;

    /** When the steady while began. */
    @GuardedBy("lock")
    private long steadyNs;

    @GuardedBy("lock")
    private long takenBackNs;

    @GuardedBy("lock")
    private boolean hasDropped;

    @GuardedBy("lock")
    private boolean hasTakenBack;

    @GuardedBy("lock")
    private long waitNs = FIRST_WAIT_NS;

    /**
     * @param limit renditions of all sessions together, read at each start
     * @param hostLoad share of the processors' time that is used, 0 to 1; below 0 if unknown
     * @param nanoTime monotonic clock
     */
    public LoadRules(IntSupplier limit, DoubleSupplier hostLoad, LongSupplier nanoTime) {
        this.limit = limit;
        this.hostLoad = hostLoad;
        this.nanoTime = nanoTime;
        this.steadyNs = nanoTime.getAsLong();
    }

    /**
     * The limit of a host: six renditions for each processor, as long as none encodes anything
     * else. A compositor counts as three.
     */
    public static int hostLimit(int processors, long compositors) {
        return Math.toIntExact(Math.max(1, 6L * processors - 3 * compositors));
    }

    /** Takes a place for one rendition, if there is one; {@link #release} gives it back. */
    boolean take() {
        lock.lock();
        try {
            if (running >= limit.getAsInt()) {
                return false;
            }
            running++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    void release() {
        lock.lock();
        try {
            running--;
        } finally {
            lock.unlock();
        }
    }

    /** Renditions that run now. */
    public int running() {
        lock.lock();
        try {
            return running;
        } finally {
            lock.unlock();
        }
    }

    /** The limit of this moment. */
    public int limit() {
        return limit.getAsInt();
    }

    /**
     * A session is behind.
     *
     * @return whether it drops a rendition now; false while the last drop has its effect
     */
    boolean mayDrop() {
        lock.lock();
        try {
            long now = nanoTime.getAsLong();
            if (hasTakenBack && now - takenBackNs < waitNs) {
                // It was too early; counted once.
                hasTakenBack = false;
                waitNs = Math.min(2 * waitNs, MAX_WAIT_NS);
            }
            steadyNs = now;
            if (hasDropped && now - droppedNs < SETTLE_NS) {
                return false;
            }
            hasDropped = true;
            droppedNs = now;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a session takes a rendition back now. */
    boolean mayTakeBack() {
        if (hostLoad.getAsDouble() > MAX_HOST_LOAD) {
            return false;
        }
        lock.lock();
        try {
            long now = nanoTime.getAsLong();
            if (now - steadyNs < waitNs) {
                return false;
            }
            if (hasTakenBack && now - takenBackNs >= 2 * waitNs) {
                waitNs = FIRST_WAIT_NS;
            }
            steadyNs = now;
            takenBackNs = now;
            hasTakenBack = true;
            return true;
        } finally {
            lock.unlock();
        }
    }
}
