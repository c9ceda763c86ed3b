package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlaybackQueryTest {
    private static final PlaybackQuery NONE =
            new PlaybackQuery(
                    OptionalLong.empty(),
                    OptionalInt.empty(),
                    false,
                    false,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());

    @Test
    void parse_allParameters_areRead() {
        assertEquals(
                new PlaybackQuery(
                        OptionalLong.of(70),
                        OptionalInt.of(3),
                        true,
                        true,
                        Optional.of("a.b-_c"),
                        Optional.of("the game/1.mp4"),
                        Optional.of("1.5"),
                        Optional.of("320"),
                        Optional.of("sid%3D%221%22")),
                PlaybackQuery.parse(
                        "/x?_HLS_msn=70&_HLS_part=3&_HLS_skip=YES&dvr=1&token=a.b-_c"
                                + "&download=the+game%2F1.mp4&time=1%2E5&width=320&width=1"
                                + "&CMCD=sid%3D%221%22&CMCD=su"));
    }

    /** Clients such as curl send an address as it was typed; the decoder reads bytes as Latin-1. */
    @ParameterizedTest
    @CsvSource({
        "K\u00c3\u00b6ln.mp4, K\u00f6ln.mp4",
        "K%C3%B6ln.mp4, K\u00f6ln.mp4",
        "K\u00c3%b6ln+1.mp4, K\u00f6ln 1.mp4",
        "K\u00f6ln.mp4, K\u00f6ln.mp4",
        "K%F6ln.mp4, K\u00f6ln.mp4",
        "50%.mp4, 50%.mp4"
    })
    void parse_downloadInUtf8_isThatName(String sent, String name) {
        assertEquals(Optional.of(name), PlaybackQuery.parse("/x?download=" + sent).download());
    }

    @Test
    void parse_nothingOfOurs_isIgnored() {
        assertEquals(NONE, PlaybackQuery.parse("/x"));
        assertEquals(NONE, PlaybackQuery.parse("/x?"));
        assertEquals(NONE, PlaybackQuery.parse("/x?&&=&a&b=%zz&_HLS_push=1&dvr=0&_HLS_skip=no"));
    }

    @Test
    void parse_emptyParameters_areAbsent() {
        assertEquals(
                NONE,
                PlaybackQuery.parse(
                        "/x?_HLS_msn=&_HLS_part=&_HLS_skip=&dvr=&token=&download=&time=&width="));
        assertEquals(Optional.of("a"), PlaybackQuery.parse("/x?token=&token=a").token());
    }

    @Test
    void parse_tokenTwiceOrEscaped_isTheFirstDecodedOnce() {
        assertEquals(Optional.of("a"), PlaybackQuery.parse("/x?token=a&token=b").token());
        assertEquals(Optional.of("a.b%41"), PlaybackQuery.parse("/x?token=a%2Eb%2541").token());
        assertEquals(Optional.of("a%zz"), PlaybackQuery.parse("/x?token=a%zz").token());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "_HLS_part=1",
                "_HLS_msn=-1",
                "_HLS_msn=1x",
                "_HLS_msn=9223372036854775808",
                "_HLS_msn=1&_HLS_part=2147483648",
                "_HLS_msn=1&_HLS_part=%31"
            })
    void parse_meaninglessDirective_isRefused(String query) {
        assertThrows(
                PlaybackQuery.BadQueryException.class, () -> PlaybackQuery.parse("/x?" + query));
    }
}
