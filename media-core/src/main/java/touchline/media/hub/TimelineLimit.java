package touchline.media.hub;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;

/**
 * How many timelines a session may begin: each one costs viewers a discontinuity, and a recording
 * two files. Not thread-safe: guarded by its monitor's lock.
 */
final class TimelineLimit {
    /** An encoder that jumps every few seconds still plays. */
    static final int MOST = 20;

    static final Duration WITHIN = Duration.ofMinutes(1);

    private final InstantSource clock;
    private final ArrayDeque<Instant> begun = new ArrayDeque<>(MOST);

    TimelineLimit(InstantSource clock) {
        this.clock = clock;
    }

    /** Counts a timeline; false if there were too many. */
    boolean tryBegin() {
        Instant now = clock.instant();
        while (!begun.isEmpty() && !now.isBefore(begun.getFirst().plus(WITHIN))) {
            begun.removeFirst();
        }
        if (begun.size() >= MOST) {
            return false;
        }
        begun.add(now);
        return true;
    }
}
