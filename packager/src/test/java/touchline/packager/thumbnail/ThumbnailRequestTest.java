package touchline.packager.thumbnail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ThumbnailRequestTest {
    @Test
    void parse_nothing_isTheDefault() {
        assertEquals(
                new ThumbnailRequest(OptionalLong.empty(), 640),
                ThumbnailRequest.parse(Optional.empty(), Optional.empty()));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "7, 7000000",
        "1.5, 1500000",
        "0.001, 1000",
        "12.3456789, 12345678",
        "999999999.999999999, 999999999999999"
    })
    void parse_time_isExactToTheMicrosecond(String text, long us) {
        assertEquals(
                OptionalLong.of(us),
                ThumbnailRequest.parse(Optional.of(text), Optional.empty()).timeUs());
    }

    @ParameterizedTest
    @CsvSource({"16, 16", "17, 16", "321, 320", "1920, 1920"})
    void parse_width_isEven(String text, int pixels) {
        assertEquals(
                pixels, ThumbnailRequest.parse(Optional.empty(), Optional.of(text)).maxWidth());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-1",
                "+1",
                "1e3",
                "NaN",
                "Infinity",
                "0x10",
                "1.",
                ".5",
                "1,5",
                "1 ",
                "1s",
                "1000000000",
                "1.0000000000",
                "١"
            })
    void parse_noTime_isRefusedByName(String text) {
        assertRefused("time: ", Optional.of(text), Optional.empty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "15", "1921", "-16", "16.0", "99999", "a", "16px"})
    void parse_noWidth_isRefusedByName(String text) {
        assertRefused("width: ", Optional.empty(), Optional.of(text));
    }

    private static void assertRefused(String field, Optional<String> time, Optional<String> width) {
        String message =
                assertThrows(
                                ThumbnailRequest.BadThumbnailRequestException.class,
                                () -> ThumbnailRequest.parse(time, width))
                        .reason();
        assertTrue(message.startsWith(field), message);
    }
}
