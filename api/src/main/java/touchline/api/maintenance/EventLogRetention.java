package touchline.api.maintenance;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;
import touchline.api.db.EventRepository;
import touchline.config.EventsConfig;

/**
 * Deletes events and deliveries beyond the configured age or number, in small batches. A virtual
 * thread runs it until it is closed.
 */
public final class EventLogRetention implements AutoCloseable {
    private static final Duration EVERY = Duration.ofMinutes(5);
    private static final int BATCH_ROWS = 500;

    private final EventRepository events;
    private final Supplier<EventsConfig> limits;
    private final InstantSource clock;
    private final PeriodicTask task = new PeriodicTask("event-log", EVERY, this::apply);

    /**
     * @param limits asked at each run
     */
    public EventLogRetention(
            EventRepository events, Supplier<EventsConfig> limits, InstantSource clock) {
        this.events = events;
        this.limits = limits;
        this.clock = clock;
    }

    public void start() {
        task.start();
    }

    /** Deletes what is too old or too much now. Returns the number of rows. */
    public int apply() {
        EventsConfig config = limits.get();
        int deleted = 0;
        int batch;
        do {
            batch =
                    events.trim(clock.instant().minus(config.keep()), config.maxKept(), BATCH_ROWS)
                            + events.trimForgotten(BATCH_ROWS);
            deleted += batch;
        } while (batch > 0 && !task.isStopping());
        return deleted;
    }

    @Override
    public void close() {
        task.close();
    }
}
