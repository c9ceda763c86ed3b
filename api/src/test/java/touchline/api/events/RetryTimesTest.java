package touchline.api.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.testing.LogLines;

/** When the timer is set, and what is logged while it cannot be. Pauses take no time. */
final class RetryTimesTest {
    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    private final FailingTimer timer = new FailingTimer();
    private final List<Duration> pauses = new ArrayList<>();
    private final RetryTimes times = new RetryTimes("wh_1", timer, pauses::add);
    private final LogLines log = LogLines.of(RetryTimes.class);

    /** Fails, or is busy, for a number of calls. */
    private static final class FailingTimer implements RetryTimer {
        private final List<Instant> arranged = new ArrayList<>();
        private int failures;
        private int busy;

        @Override
        public void wakes(Consumer<String> due) {}

        @Override
        public boolean arrange(String endpoint, Instant at) {
            if (failures > 0) {
                failures--;
                throw new IllegalStateException("the database fails");
            }
            if (busy > 0) {
                busy--;
                return false;
            }
            arranged.add(at);
            return true;
        }
    }

    @AfterEach
    void leave() {
        log.close();
    }

    @Test
    void timer_isSetToTheEarliestTime_once() throws Exception {
        times.block("str_1", START.plusSeconds(2));
        times.unordered(Optional.of(START.plusSeconds(1)));
        times.arrange();
        times.arrange();

        assertEquals(List.of(START.plusSeconds(1)), timer.arranged);
        assertEquals(List.of(), pauses);
        assertEquals(List.of(), log.texts());
    }

    @Test
    void databaseThatFails_isTriedWithGrowingPauses_andLoggedSeldom() throws Exception {
        timer.failures = 20;
        times.block("str_1", START);
        times.arrange();

        assertEquals(List.of(START), timer.arranged);
        List<Long> pausesMs = pauses.stream().map(Duration::toMillis).toList();
        assertEquals(
                List.of(50L, 100L, 200L, 400L, 800L, 1_600L, 3_200L, 5_000L),
                pausesMs.subList(0, 8));
        assertTrue(pausesMs.subList(8, 20).stream().allMatch(pause -> pause == 5_000));
        // After 1, 2, 4, 8 and 16 failures, and at the end.
        assertEquals(6, log.texts().size());
        assertEquals("webhook=wh_1 retry timer set after 20 failures", log.texts().getLast());
    }

    @Test
    void timerThatFires_isSetAgainAfterAShortPause_andNothingIsLogged() throws Exception {
        timer.busy = 3;
        times.block("str_1", START);
        times.arrange();

        assertEquals(List.of(START), timer.arranged);
        assertEquals(List.of(50L, 50L, 50L), pauses.stream().map(Duration::toMillis).toList());
        assertEquals(List.of(), log.texts());
    }
}
