package touchline.api.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.api.domain.DeliveryOutcome.Next;

final class RetryScheduleTest {
    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

    @Test
    void failures_oneAfterTheOther_followTheTable() {
        RetrySchedule schedule = new RetrySchedule(() -> 0);
        List<Duration> pauses = new ArrayList<>();
        List<Next> next = new ArrayList<>();
        for (int tries = 1; tries <= 10; tries++) {
            RetrySchedule.Step step = schedule.after(tries, NOW, null);
            pauses.add(Duration.between(NOW, step.dueAt()));
            next.add(step.next());
        }

        assertEquals(
                List.of(
                        Duration.ofSeconds(5),
                        Duration.ofMinutes(5),
                        Duration.ofMinutes(30),
                        Duration.ofHours(2),
                        Duration.ofHours(5),
                        Duration.ofHours(10),
                        Duration.ofHours(14),
                        Duration.ofHours(20),
                        Duration.ofHours(24),
                        Duration.ZERO),
                pauses);
        assertEquals(
                List.of(
                        Next.IN_ORDER,
                        Next.IN_ORDER,
                        Next.UNORDERED,
                        Next.UNORDERED,
                        Next.UNORDERED,
                        Next.UNORDERED,
                        Next.UNORDERED,
                        Next.UNORDERED,
                        Next.UNORDERED,
                        Next.FAILED),
                next);
    }

    @Test
    void pause_withJitter_isNeverShorterAndATenthLongerAtMost() {
        Duration longest =
                Duration.between(NOW, new RetrySchedule(() -> 0.999).after(2, NOW, null).dueAt());

        assertTrue(longest.compareTo(Duration.ofMinutes(5)) > 0);
        assertTrue(longest.compareTo(Duration.ofSeconds(330)) <= 0, longest::toString);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "60 | 60",
                "0 | 5",
                "3 | 5",
                "999999999 | 86400",
                "1234567890123 | 5",
                "-7 | 5",
                "soon | 5",
                "'' | 5",
                "Fri, 20 Nov 2026 12:01:30 GMT | 90",
                "Fri, 20 Nov 2026 11:00:00 GMT | 5",
                "Fri, 20 Nov 2026 | 5"
            })
    void retryAfter_longerThanTheTable_isHonouredUpToADay(String answer, long seconds) {
        RetrySchedule.Step step = new RetrySchedule(() -> 0).after(1, NOW, answer);

        assertEquals(Duration.ofSeconds(seconds), Duration.between(NOW, step.dueAt()));
        assertEquals(Next.IN_ORDER, step.next());
    }
}
