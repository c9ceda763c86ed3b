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
 * Deletes events and deliveries beyond the configured age or number, in small batches. A virtual
 * thread runs it until it is closed.
 */
public final class EventLogRetention implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EventLogRetention.class);
    private static final Duration EVERY = Duration.ofMinutes(5);
    private static final int BATCH_ROWS = 500;

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

    /** Deletes what is too old or too much now. Returns the number of rows. */
    int apply() {
        int deleted = 0;
        int batch;
        do {
            batch =
                    events.trim(clock.instant().minus(config.keep()), config.maxKept(), BATCH_ROWS)
                            + events.trimForgotten(BATCH_ROWS);
            deleted += batch;
        } while (batch > 0 && stopping.getCount() > 0);
        return deleted;
    }

    @Override
    public void close() {
        stopping.countDown();
    }

    private void run() {
        try {
            do {
                try {
                    int deleted = apply();
                    log.debug("event log: {} rows deleted", deleted);
                } catch (RuntimeException e) {
                    log.warn("event log not trimmed, tried again later: {}", e.getMessage());
                }
            } while (!stopping.await(EVERY.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
