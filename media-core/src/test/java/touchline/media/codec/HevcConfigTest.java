package touchline.media.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.testing.CodecRecords;

/** The records were written by x265, without their SEI arrays. */
final class HevcConfigTest {
    static final String MAIN_720P30 = CodecRecords.HEVC_720P30;
    static final String MAIN10_1918X1078 =
            "01022000000090000000000078f000fcfdfafa00000f03a00001001840010c01ffff02200000"
                    + "0300900000030000030078959809a10001002c420101022000000300900000030000030078a0"
                    + "03c08010e754d96566924e5780b404000003019000002ed420a2000100074401c172b46240";

    @ParameterizedTest
    @CsvSource({
        MAIN_720P30 + ",1280,720,30,hvc1.1.6.L93.90,1",
        MAIN10_1918X1078 + ",1918,1078,29.97,hvc1.2.4.L120.90,2"
    })
    void parse_x265_readsSizeRateAndProfile(
            String hex, int width, int height, double frameRate, String rfc6381, int profile) {
        HevcConfig config = HevcConfig.parse(Hostile.hex(hex));

        assertEquals(width, config.width());
        assertEquals(height, config.height());
        assertEquals(frameRate, config.frameRate(), 0.001);
        assertEquals(rfc6381, config.rfc6381());
        assertEquals(profile, config.profileIdc());
        assertEquals(4, config.nalLengthBytes());
        assertEquals(1, config.sequenceParameterSets().size());
        assertEquals(1, config.units(NalUnits.HEVC_PPS).size());
    }

    /** The example of ISO/IEC 14496-15, E.3: main profile, one constraint byte. */
    @Test
    void rfc6381_oneConstraintByte_trailingZerosAreOmitted() {
        String constraint = MAIN_720P30.substring(0, 12) + "b00000000000" + "5d";

        HevcConfig config = HevcConfig.parse(Hostile.hex(constraint + MAIN_720P30.substring(26)));

        assertEquals("hvc1.1.6.L93.B0", config.rfc6381());
    }

    @Test
    void rfc6381_profileSpaceAndHighTier_areIncluded() {
        String high = "01" + "a1" + MAIN_720P30.substring(4);

        HevcConfig config = HevcConfig.parse(Hostile.hex(high));

        assertEquals("hvc1.B1.6.H93.90", config.rfc6381());
    }

    @Test
    void equals_content_decides() {
        HevcConfig one = HevcConfig.parse(Hostile.hex(MAIN_720P30));

        assertEquals(one, HevcConfig.parse(Hostile.hex(MAIN_720P30.toUpperCase(Locale.ROOT))));
        assertNotEquals(one, HevcConfig.parse(Hostile.hex(MAIN10_1918X1078)));
    }

    @Test
    void parse_withoutParameterSets_isRefused() {
        String none = MAIN_720P30.substring(0, 44) + "01" + "2000" + "00";

        assertThrows(MalformedMediaException.class, () -> HevcConfig.parse(Hostile.hex(none)));
    }

    @ParameterizedTest
    @CsvSource({MAIN_720P30, MAIN10_1918X1078})
    void parse_hostileBytes_onlyMalformed(String hex) {
        Hostile.attack(hex, HevcConfig::parse);
    }
}
