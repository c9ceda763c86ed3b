package touchline.packager.delivery;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one deadline of a connection, checked every few seconds, or earlier if it is nearer. So
 * moving it, which every request does several times, costs nothing. Event loop only.
 */
final class ConnectionTimer implements Runnable {
    /** Less than the usual timeouts, which then need no new task. */
    private static final long LOOK_EVERY_NS = Duration.ofSeconds(5).toNanos();

    private final EventExecutor executor;
    private final LongSupplier nanoTime;
    private final Runnable expired;

    private long deadlineNs;
    private long scheduledNs;
    private @Nullable Future<?> scheduled;

    /**
     * @param expired runs once per deadline that was neither moved nor cancelled
     */
    ConnectionTimer(EventExecutor executor, LongSupplier nanoTime, Runnable expired) {
        this.executor = executor;
        this.nanoTime = nanoTime;
        this.expired = expired;
    }

    /** Replaces the deadline. */
    void expireIn(Duration duration) {
        long now = nanoTime.getAsLong();
        deadlineNs = now + duration.toNanos();
        if (scheduled == null) {
            schedule(now);
        } else if (deadlineNs - scheduledNs < 0) {
            scheduled.cancel(/* mayInterruptIfRunning= */ false);
            schedule(now);
        }
    }

    void cancel() {
        if (scheduled != null) {
            scheduled.cancel(/* mayInterruptIfRunning= */ false);
            scheduled = null;
        }
    }

    @Override
    public void run() {
        scheduled = null;
        long now = nanoTime.getAsLong();
        if (now - deadlineNs < 0) {
            schedule(now);
        } else {
            expired.run();
        }
    }

    private void schedule(long now) {
        long delayNs = Math.clamp(deadlineNs - now, 0, LOOK_EVERY_NS);
        scheduledNs = now + delayNs;
        scheduled = executor.schedule(this, delayNs, TimeUnit.NANOSECONDS);
    }
}
