package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExpiryTest {
    private static final Clock NOW =
            Clock.fixed(Instant.parse("2026-11-20T12:00:00Z"), ZoneOffset.UTC);

    @ParameterizedTest
    @CsvSource({
        "30d, 2026-12-20T12:00:00Z",
        "12h, 2026-11-21T00:00:00Z",
        "2027-01-31, 2027-01-31T00:00:00Z",
        "2027-01-31T12:00:00Z, 2027-01-31T12:00:00Z"
    })
    void text_ofEachForm_isTheInstant(String text, Instant expected) {
        assertEquals(expected, Expiry.parse(text, NOW));
    }

    @Test
    void text_ofNoForm_isRefusedWithTheForms() {
        CommandException refusal =
                assertThrows(CommandException.class, () -> Expiry.parse("soon", NOW));

        assertEquals(
                "--expires: soon (expected: 30d, 12h, 2027-01-31 or 2027-01-31T12:00:00Z)",
                refusal.getMessage());
    }
}
