package touchline.api.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class DiskGrowthTest {
    private static final Instant START = Instant.parse("2026-11-23T00:00:00Z");
    private static final long GIB = 1L << 30;

    private final DiskGrowth growth = new DiskGrowth();

    @Test
    void shortTime_saysNothing() {
        growth.add(START, 0);
        growth.add(START.plusSeconds(540), GIB);

        assertEquals(OptionalLong.empty(), growth.perDay());
    }

    @Test
    void steadyGrowth_isScaledToADay() {
        for (int minute = 0; minute <= 30; minute++) {
            growth.add(START.plus(Duration.ofMinutes(minute)), minute * GIB);
        }

        assertEquals(OptionalLong.of(24 * 60 * GIB), growth.perDay());
    }

    @Test
    void shrinkingOrEqualDisk_doesNotGrow() {
        growth.add(START, 5 * GIB);
        growth.add(START.plus(Duration.ofHours(1)), 5 * GIB);
        assertEquals(OptionalLong.empty(), growth.perDay());

        growth.add(START.plus(Duration.ofHours(2)), GIB);
        assertEquals(OptionalLong.empty(), growth.perDay());
    }

    @Test
    void growthOfAnEarlierDay_isForgotten() {
        growth.add(START, 0);
        for (int hour = 1; hour <= 48; hour++) {
            growth.add(START.plus(Duration.ofHours(hour)), 100 * GIB + hour);
        }

        assertEquals(OptionalLong.of(24), growth.perDay());
    }

    @Test
    void samplesWithinAMinute_areNotKept() {
        growth.add(START, 0);
        growth.add(START.plusSeconds(30), 500 * GIB);
        growth.add(START.plus(Duration.ofDays(1)), GIB);

        assertEquals(OptionalLong.of(GIB), growth.perDay());
    }
}
