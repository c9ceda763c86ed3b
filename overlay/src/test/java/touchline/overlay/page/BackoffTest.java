package touchline.overlay.page;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final Duration HEALTHY = Duration.ofSeconds(30);

    private final Backoff backoff =
            new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(4), HEALTHY);

    private void assertPause(long fullMs, Duration ran) {
        long pauseMs = backoff.nextNs(ran.toNanos()) / 1_000_000;
        assertTrue(pauseMs >= fullMs * 3 / 4 && pauseMs <= fullMs, pauseMs + " of " + fullMs);
    }

    @Test
    void pauses_ofRunsThatFailSoon_doubleUpToTheLimit() {
        assertPause(1_000, Duration.ZERO);
        assertPause(2_000, Duration.ofSeconds(5));
        assertPause(4_000, HEALTHY);
        assertPause(4_000, Duration.ZERO);
    }

    @Test
    void pause_afterAHealthyRun_isTheFirstAgain() {
        assertPause(1_000, Duration.ZERO);
        assertPause(2_000, Duration.ZERO);

        assertPause(1_000, Duration.ofSeconds(31));
        assertPause(2_000, Duration.ZERO);
    }
}
