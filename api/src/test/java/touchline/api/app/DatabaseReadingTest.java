package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import touchline.api.db.BrokenDatabase;

final class DatabaseReadingTest {
    private Instant now = Instant.parse("2026-11-01T00:00:00Z");
    private int asked;
    private boolean down;

    private final DatabaseReading<Integer> reading =
            new DatabaseReading<>(
                    _ -> {
                        if (down) {
                            throw BrokenDatabase.failure();
                        }
                        return ++asked;
                    },
                    () -> now);

    private double read() {
        return reading.number(Integer::doubleValue);
    }

    @Test
    void readings_askAtMostEveryFiveSeconds() {
        assertEquals(1, read());
        now = now.plusSeconds(4);
        assertEquals(1, read());
        now = now.plusSeconds(1);
        assertEquals(2, read());
    }

    @Test
    void databaseThatDoesNotAnswer_isNoNumber() {
        down = true;
        assertTrue(Double.isNaN(read()));
        down = false;
        now = now.plusSeconds(5);
        assertEquals(1, read());
    }
}
