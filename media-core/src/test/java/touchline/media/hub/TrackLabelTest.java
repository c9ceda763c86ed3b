package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrackLabelTest {
    @ParameterizedTest
    @CsvSource({
        "en, en",
        "eng, en",
        "deu, de",
        "pt_BR, pt-BR",
        "PT-br, pt-BR",
        "gsw, gsw",
        "und, ''",
        "'', ''",
        "English language, ''",
        "'e\"n', ''"
    })
    void language_isTheShortestTag(String said, String expected) {
        assertEquals(expected, TrackLabel.of(said, "").language());
    }

    @Test
    void name_fitsIntoQuotes() {
        assertEquals("El relator", TrackLabel.of("", " El\n \"relator\" ").name());
        assertEquals(64, TrackLabel.of("", "x".repeat(1_000)).name().length());
        assertEquals("", TrackLabel.of("", "\ud800\r").name());
    }
}
