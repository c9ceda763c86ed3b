package touchline.api.certificate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RenewalScheduleTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void renewal_isDueWhenAThirdIsLeft() {
        assertEquals(
                START.plus(Duration.ofDays(60)),
                RenewalSchedule.renewal(
                        new TestAuthority()
                                .issue(List.of("a.example"), START, Duration.ofDays(90))));
    }

    @Test
    void pauses_doubleUpToHalfADay_withAFifthOfJitter() {
        RenewalSchedule schedule = new RenewalSchedule(new Random(3));
        for (int failures = 1; failures <= 30; failures++) {
            long usualMs =
                    Math.min(
                            Duration.ofHours(12).toMillis(),
                            Duration.ofMinutes(5).toMillis() << Math.min(failures - 1, 20));
            long pauseMs = schedule.pause(failures).toMillis();
            assertTrue(pauseMs >= usualMs * 0.8 - 1 && pauseMs <= usualMs * 1.2 + 1, "" + pauseMs);
        }
    }

    @Test
    void window_givesATimeWithinIt() {
        RenewalSchedule schedule = new RenewalSchedule(new Random(3));
        Instant end = START.plus(Duration.ofHours(1));
        for (int i = 0; i < 100; i++) {
            Instant time = schedule.within(START, end);
            assertTrue(!time.isBefore(START) && !time.isAfter(end), time::toString);
        }
        assertEquals(START, schedule.within(START, START.minusSeconds(1)));
    }
}
