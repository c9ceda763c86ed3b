package touchline.media.concurrent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class LineLimitTest {
    @Test
    void admit_flood_isCutAndCounted() {
        AtomicLong nowNs = new AtomicLong(5);
        LineLimit limit = new LineLimit(20, nowNs::get);
        int admitted = 0;
        for (int i = 0; i < 5_000; i++) {
            admitted += limit.admit().isPresent() ? 1 : 0;
        }
        nowNs.addAndGet(1_000_000_000L);

        assertEquals(20, admitted);
        assertEquals(OptionalInt.of(4_980), limit.admit());
        assertEquals(OptionalInt.of(0), limit.admit());
    }
}
