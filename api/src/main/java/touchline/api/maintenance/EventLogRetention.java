package touchline.api.maintenance;

import java.time.Duration;
import java.time.InstantSource;
import touchline.api.db.EventRepository;
import touchline.config.EventsConfig;

/**
 * Takes away events and deliveries that are older, or more, than the log keeps. A part at a time,
 * on a virtual thread of its own, until it is closed.
 */
public final class EventLogRetention implements AutoCloseable {
    private static final Duration EVERY = Duration.ofMinutes(5);
    private static final int ROWS_AT_ONCE = 500;

    private final EventRepository events;
    private final EventsConfig config;
    private final InstantSource clock;
    private final PeriodicTask task = new PeriodicTask("event-log", EVERY, this::apply);

    public EventLogRetention(EventRepository events, EventsConfig config, InstantSource clock) {
        this.events = events;
        this.config = config;
        this.clock = clock;
    }

    public void start() {
        task.start();
    }

    /** Takes away what is too old or too much now. Says how many rows that were. */
    public int apply() {
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
        } while (part > 0 && !task.isStopping());
        return gone;
    }

    @Override
    public void close() {
        task.close();
    }
}
