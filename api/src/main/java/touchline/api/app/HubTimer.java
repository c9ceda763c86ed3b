package touchline.api.app;

import java.util.concurrent.ScheduledThreadPoolExecutor;

/** The thread with the deadlines of live streams. */
final class HubTimer {
    private HubTimer() {}

    /** The caller shuts it down. */
    static ScheduledThreadPoolExecutor create() {
        ScheduledThreadPoolExecutor timer =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().name("hub-timer").daemon().factory());
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }
}
