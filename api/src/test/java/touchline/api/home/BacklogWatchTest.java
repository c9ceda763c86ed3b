package touchline.api.home;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class BacklogWatchTest {
    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    private final HomeCounters counters = new HomeCounters();
    private final List<String> events = new ArrayList<>();
    private boolean databaseIsAway;
    private Instant now = START;

    private final BacklogWatch watch =
            new BacklogWatch(
                    counters,
                    (type, storage) -> {
                        if (databaseIsAway) {
                            throw new IllegalStateException("away");
                        }
                        events.add(type.wireName() + " " + storage);
                    },
                    () -> now);

    @Test
    void whatWaitsTooLong_isReportedOnce_andItsEnd() {
        counters.backlog(700, OptionalLong.of(START.toEpochMilli()));
        lookAfter(Duration.ofMinutes(5));
        assertEquals(List.of(), events);

        counters.recordingsTaken(false);
        lookAfter(Duration.ofSeconds(1));
        lookAfter(Duration.ofMinutes(60));
        assertEquals(
                List.of(
                        "storage.backlog {\"waiting_bytes\":700,\"waiting_seconds\":301,"
                                + "\"reachable\":false}"),
                events);

        // It catches up: what waits now has come later.
        counters.recordingsTaken(true);
        counters.backlog(90, OptionalLong.of(now.minusSeconds(61).toEpochMilli()));
        lookAfter(Duration.ZERO);
        assertEquals(1, events.size());
        counters.backlog(0, OptionalLong.empty());
        lookAfter(Duration.ZERO);
        lookAfter(Duration.ofHours(1));
        assertEquals(2, events.size());
        assertEquals(
                "storage.backlog_ended {\"waiting_bytes\":0,\"waiting_seconds\":0,"
                        + "\"reachable\":true}",
                events.getLast());
    }

    @Test
    void aReportThatIsNotStored_isRepeated() {
        counters.backlog(700, OptionalLong.of(START.toEpochMilli()));
        databaseIsAway = true;
        assertThrows(IllegalStateException.class, () -> lookAfter(Duration.ofMinutes(6)));

        databaseIsAway = false;
        lookAfter(Duration.ZERO);

        assertEquals(1, events.size());
    }

    private void lookAfter(Duration time) {
        now = now.plus(time);
        watch.look();
    }
}
