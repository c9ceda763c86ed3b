package touchline.media.hub;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One deadline, moved as often as needed. A task that was cancelled too late detects that its
 * number is no longer current. Guarded by its owner.
 */
final class Deadline {
    private static final Logger log = LoggerFactory.getLogger(Deadline.class);

    private final ScheduledExecutorService timer;
    private final LongConsumer passed;
    private @Nullable ScheduledFuture<?> task;
    private long number;

    /**
     * @param passed called by the timer's thread, without the owner's lock, with the number of the
     *     deadline that has passed
     */
    Deadline(ScheduledExecutorService timer, LongConsumer passed) {
        this.timer = timer;
        this.passed = passed;
    }

    void arm(long delayNs) {
        disarm();
        long mine = number;
        try {
            task = timer.schedule(() -> passed.accept(mine), delayNs, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            log.warn("the timer has stopped: a session stays until the server ends it", e);
        }
    }

    void disarm() {
        number++;
        if (task != null) {
            task.cancel(false);
            task = null;
        }
    }

    boolean isCurrent(long candidate) {
        return candidate == number;
    }
}
