package touchline.api.home;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.EventType;

/**
 * Reports uploads that fall behind: once when something waits for too long, and once when they have
 * caught up. A disk that is lost in between loses what waits. One thread.
 */
final class BacklogWatch {
    private static final Logger log = LoggerFactory.getLogger(BacklogWatch.class);

    /** Uploads are behind when something waits for longer. */
    static final Duration BEHIND = Duration.ofMinutes(5);

    /** They have caught up when nothing waits for as long: not on and off around one limit. */
    static final Duration CAUGHT_UP = Duration.ofMinutes(1);

    private final HomeCounters counters;
    private final BiConsumer<EventType, ObjectNode> events;
    private final InstantSource clock;
    private boolean behind;

    /**
     * @param events stores an event about the storage; a failure is reported again by the next
     *     {@link #look}
     */
    BacklogWatch(
            HomeCounters counters, BiConsumer<EventType, ObjectNode> events, InstantSource clock) {
        this.counters = counters;
        this.events = events;
        this.clock = clock;
    }

    /** Checks once, and reports a change. */
    void look() {
        long ageMs = counters.backlogAgeMs(clock.millis());
        if (!behind && ageMs > BEHIND.toMillis()) {
            log.warn(
                    "uploads to S3 are behind: {} bytes wait, the oldest for {} s",
                    counters.backlogBytes(),
                    ageMs / 1_000);
            events.accept(EventType.STORAGE_BACKLOG, backlog(ageMs));
            behind = true;
        } else if (behind && ageMs < CAUGHT_UP.toMillis()) {
            log.info("uploads to S3 have caught up");
            events.accept(EventType.STORAGE_BACKLOG_ENDED, backlog(ageMs));
            behind = false;
        }
    }

    private ObjectNode backlog(long ageMs) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("waiting_bytes", counters.backlogBytes())
                .put("waiting_seconds", ageMs / 1_000)
                .put("reachable", counters.isReachable());
    }
}
