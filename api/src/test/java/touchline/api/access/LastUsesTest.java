package touchline.api.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LastUsesTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private Instant now = START;
    private boolean isDatabaseDown;
    private final List<Map<String, Instant>> writes = new ArrayList<>();
    private final LastUses uses = new LastUses(this::store, () -> now);

    private void store(Map<String, Instant> times) {
        if (isDatabaseDown) {
            throw new IllegalStateException("no database");
        }
        writes.add(times);
    }

    @Test
    void write_manyUses_storesTheLatestOfEachTogether() {
        for (int i = 0; i < 1_000; i++) {
            now = now.plusMillis(10);
            uses.note("tok_1");
        }
        uses.note("tok_2");

        uses.write();

        assertEquals(1, writes.size());
        Instant first = writes.getFirst().get("tok_1");
        assertEquals(2, writes.getFirst().size());
        assertEquals(now, writes.getFirst().get("tok_2"));
        assertEquals(0, Duration.between(first, now).toSeconds());
    }

    @Test
    void write_withoutANewUse_storesNothing() {
        uses.write();
        uses.note("tok_1");
        uses.write();
        uses.write();

        assertEquals(1, writes.size());
    }

    @Test
    void write_afterAFailure_storesTheSame() {
        uses.note("tok_1");
        isDatabaseDown = true;
        assertThrows(IllegalStateException.class, uses::write);
        isDatabaseDown = false;

        uses.write();

        assertEquals(List.of(Map.of("tok_1", START)), writes);
    }

    @Test
    void of_unwrittenUse_isPreferredToTheStoredOne() {
        Optional<Instant> stored = Optional.of(START.minusSeconds(60));

        assertEquals(stored, uses.of("tok_1", stored));
        uses.note("tok_1");
        assertEquals(Optional.of(START), uses.of("tok_1", stored));
        assertEquals(Optional.empty(), uses.of("tok_2", Optional.empty()));
    }
}
