package touchline.media.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.testing.CodecRecords;

/** The records were written by SVT-AV1 and libaom. */
final class Av1ConfigTest {
    static final String SVT_720P = CodecRecords.AV1_720P;
    static final String LIBAOM_360P = CodecRecords.AV1_360P;

    @ParameterizedTest
    @CsvSource({SVT_720P + ",1280,720,av01.0.05M.08", LIBAOM_360P + ",640,360,av01.0.01M.08"})
    void parse_realEncoders_readsSizeAndLevel(String hex, int width, int height, String rfc6381) {
        Av1Config config = Av1Config.parse(Hostile.hex(hex));

        assertEquals(width, config.width());
        assertEquals(height, config.height());
        assertEquals(rfc6381, config.rfc6381());
        assertEquals(Av1Config.parse(Hostile.hex(hex)), config);
    }

    @Test
    void rfc6381_tenBitHighTier_isIncluded() {
        Av1Config config = Av1Config.parse(Hostile.hex("812dcc00" + SVT_720P.substring(8)));

        assertEquals("av01.1.13H.10", config.rfc6381());
    }

    @Test
    void parse_withoutSequenceHeader_isRefused() {
        var thrown =
                assertThrows(
                        MalformedMediaException.class,
                        () -> Av1Config.parse(Hostile.hex("81050c00")));

        assertEquals(
                "av1C.configOBUs at byte 3: no sequence header (expected: one)",
                thrown.getMessage());
    }

    @ParameterizedTest
    @CsvSource({SVT_720P, LIBAOM_360P})
    void parse_hostileBytes_onlyMalformed(String hex) {
        Hostile.attack(hex, Av1Config::parse);
    }
}
