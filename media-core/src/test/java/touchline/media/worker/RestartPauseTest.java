package touchline.media.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RestartPauseTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final RestartPause pause =
            new RestartPause(Duration.ofMillis(250), Duration.ofSeconds(10));

    private long afterCrash(long livedNs) {
        pause.crashed(livedNs, /* nowNs= */ 0);
        return pause.leftNs(0);
    }

    @Test
    void leftNs_noCrash_isNothing() {
        assertEquals(0, pause.leftNs(Long.MIN_VALUE / 2));
    }

    @Test
    void crashes_inARow_doubleThePauseUpToALimit() {
        assertEquals(SECOND / 4, afterCrash(0));
        assertEquals(SECOND / 2, afterCrash(SECOND));
        for (int i = 0; i < 10; i++) {
            long _ = afterCrash(SECOND);
        }
        assertEquals(10 * SECOND, afterCrash(SECOND));
        assertEquals(SECOND, pause.leftNs(9 * SECOND));
        assertEquals(0, pause.leftNs(11 * SECOND));
    }

    @Test
    void crash_ofAChildThatLived_pausesBrieflyAgain() {
        for (int i = 0; i < 5; i++) {
            long _ = afterCrash(0);
        }

        assertEquals(SECOND / 4, afterCrash(30 * SECOND));
    }
}
