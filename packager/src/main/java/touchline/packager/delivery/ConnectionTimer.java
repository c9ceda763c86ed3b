package touchline.packager.delivery;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The one deadline of a connection. Moving it later costs nothing: the scheduled task finds out
 * when it runs, and goes back to sleep. Event loop only.
 */
final class ConnectionTimer implements Runnable {
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
        deadlineNs = nanoTime.getAsLong() + duration.toNanos();
        if (scheduled == null) {
            schedule();
        } else if (deadlineNs - scheduledNs < 0) {
            scheduled.cancel(/* mayInterruptIfRunning= */ false);
            schedule();
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
        if (nanoTime.getAsLong() - deadlineNs < 0) {
            schedule();
        } else {
            expired.run();
        }
    }

    private void schedule() {
        scheduledNs = deadlineNs;
        scheduled =
                executor.schedule(
                        this, Math.max(0, deadlineNs - nanoTime.getAsLong()), TimeUnit.NANOSECONDS);
    }
}
