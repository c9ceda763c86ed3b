package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.testing.SettableClock;

final class DeadlineTest {
    private final SettableClock clock = new SettableClock();
    private final List<Long> passed = new ArrayList<>();
    private final Deadline deadline = new Deadline(clock.timer(), passed::add);

    @Test
    void arm_again_movesIt() {
        deadline.arm(Duration.ofSeconds(1).toNanos());
        deadline.arm(Duration.ofSeconds(3).toNanos());

        clock.advance(Duration.ofSeconds(2));
        assertEquals(List.of(), passed);
        clock.advance(Duration.ofSeconds(1));

        assertEquals(1, passed.size());
        assertTrue(deadline.isCurrent(passed.getFirst()));
    }

    /** A task that runs while it is being cancelled knows only its old number. */
    @Test
    void isCurrent_numberOfAnEarlierDeadline_isFalse() {
        deadline.arm(0);
        clock.advance(Duration.ZERO);
        deadline.arm(Duration.ofSeconds(1).toNanos());
        assertFalse(deadline.isCurrent(passed.getFirst()));

        clock.advance(Duration.ofSeconds(1));
        deadline.disarm();

        assertFalse(deadline.isCurrent(passed.getLast()));
    }

    @Test
    void arm_timerHasStopped_isNoError() {
        clock.timer().shutdown();

        deadline.arm(1);

        assertEquals(0, clock.waitingTasks());
    }
}
