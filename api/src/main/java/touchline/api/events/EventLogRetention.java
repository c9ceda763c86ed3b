package touchline.api.events;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.EventRepository;
import touchline.config.EventsConfig;

/**
 * Takes away events and deliveries that are older, or more, than the log keeps. A part at a time,
 * on a virtual thread of its own, until it is closed.
 */
public final class EventLogRetention implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EventLogRetention.class);
    private static final Duration EVERY = Duration.ofMinutes(5);
    private static final int ROWS_AT_ONCE = 500;

    private final EventRepository events;
    private final EventsConfig config;
    private final InstantSource clock;
    private final CountDownLatch stopping = new CountDownLatch(1);

    public EventLogRetention(EventRepository events, EventsConfig config, InstantSource clock) {
        this.events = events;
        this.config = config;
        this.clock = clock;
    }

    public void start() {
        Thread.ofVirtual().name("event-log").start(this::run);
    }

    /** Takes away what is too old or too much now. Says how many rows that were. */
    int apply() {
        int gone = 0;
        int part;
        do {
            part =
                    events.trim(
                                    clock.instant().minus(config.keep()),
                                    config.maxKept(),
                                    ROWS_AT_ONCE)
                            + events.trimForgotten(ROWS_AT_ONCE);
            gone += part;
        } while (part > 0 && stopping.getCount() > 0);
        return gone;
    }

    @Override
    public void close() {
        stopping.countDown();
    }

    private void run() {
        try {
            do {
                try {
                    int gone = apply();
                    log.debug("{} rows of the event log are taken away", gone);
                } catch (RuntimeException e) {
                    log.warn("the event log is not trimmed: {}", e.getMessage());
                }
            } while (!stopping.await(EVERY.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
