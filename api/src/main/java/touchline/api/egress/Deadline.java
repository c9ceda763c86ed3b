package touchline.api.egress;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Cancels a request that takes too long, from a timer thread. */
final class Deadline implements AutoCloseable {
    private final ScheduledFuture<?> timer;
    private volatile boolean passed;

    private Deadline(ScheduledExecutorService timers, Duration after, Runnable cancel) {
        this.timer =
                timers.schedule(
                        () -> {
                            passed = true;
                            cancel.run();
                        },
                        after.toNanos(),
                        TimeUnit.NANOSECONDS);
    }

    static Deadline start(ScheduledExecutorService timers, Duration after, Runnable cancel) {
        return new Deadline(timers, after, cancel);
    }

    boolean passed() {
        return passed;
    }

    @Override
    public void close() {
        timer.cancel(false);
    }
}
