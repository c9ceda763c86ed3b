package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StreamKeysTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "KEY",
                " KEY",
                "KEY ",
                "KEY\n",
                "\tKEY\r\n",
                "KEY /",
                "KEY\n?a=b",
                "x/ KEY "
            })
    void candidates_blanksAroundTheKey_areTrimmed(String name) {
        assertEquals("KEY", StreamKeys.candidates("", name).getFirst());
    }

    @Test
    void candidates_nameOfBlanks_isNone() {
        assertEquals(List.of("KEY"), StreamKeys.candidates("live/KEY\n", " \n"));
    }

    @Test
    void candidates_nameAndApp_nameFirst() {
        assertEquals(List.of("a", "live"), StreamKeys.candidates("live", "a"));
    }
}
