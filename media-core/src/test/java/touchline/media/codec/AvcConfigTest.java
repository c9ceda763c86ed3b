package touchline.media.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The records were written by x264. */
final class AvcConfigTest {
    static final String HIGH_720P30 =
            "0164001fffe1001a6764001facd9405005bb0110000003001000000303c0f183196001000468ef8fcb"
                    + "fdf8f800";
    static final String BASELINE_360P25 =
            "0142c01effe100196742c01eda0280bfe5c044000003000400000300c83c58ba8001000468ce0fc8";
    static final String MAIN_1918X1078 =
            "014d4028ffe10018674d4028eca03c0113d4d8088000003200000bb5078c18cb01000468ef8fc8";
    static final String SCALING_LISTS =
            "0164001fffe1001a6764001facd9405005bb0110000003001000000303c0f183196001000768ebe3cb"
                    + "3002c0fdf8f800";
    static final String INTERLACED_422_HRD =
            "017a003effe10025677a003eb6cd94078044fcb8088000000300800000323240007a12000f427269c0"
                    + "7c78f65801000568fbacb22cfefafa00";

    @ParameterizedTest
    @CsvSource({
        HIGH_720P30 + ",1280,720,30,avc1.64001f",
        BASELINE_360P25 + ",640,360,25,avc1.42c01e",
        MAIN_1918X1078 + ",1918,1078,29.97,avc1.4d4028",
        SCALING_LISTS + ",1280,720,30,avc1.64001f",
        INTERLACED_422_HRD + ",1920,1080,50,avc1.7a003e"
    })
    void parse_x264_readsSizeRateAndProfile(
            String hex, int width, int height, double frameRate, String rfc6381) {
        AvcConfig config = AvcConfig.parse(Hostile.hex(hex));

        assertEquals(width, config.width());
        assertEquals(height, config.height());
        assertEquals(frameRate, config.frameRate(), 0.001);
        assertEquals(rfc6381, config.rfc6381());
        assertEquals(4, config.nalLengthBytes());
        assertEquals(1, config.sequenceParameterSets().size());
        assertEquals(1, config.frameParameterSets().size());
    }

    @Test
    void sps_interlaced422_isParsed() {
        Sps sps = AvcConfig.parse(Hostile.hex(INTERLACED_422_HRD)).sps();

        assertFalse(sps.progressive());
        assertEquals(2, sps.chromaFormatIdc());
        assertEquals(10, sps.bitDepth());
        assertEquals(10, sps.chromaBitDepth());
        assertEquals(122, sps.profileIdc());
    }

    @Test
    void sps_withAndWithoutReordering_isParsed() {
        assertEquals(2, AvcConfig.parse(Hostile.hex(HIGH_720P30)).sps().reorderedFrames());
        assertEquals(0, AvcConfig.parse(Hostile.hex(BASELINE_360P25)).sps().reorderedFrames());
        assertTrue(AvcConfig.parse(Hostile.hex(HIGH_720P30)).sps().progressive());
    }

    @Test
    void equals_sameBytesOfAnotherSegment_isTrue() {
        AvcConfig one = AvcConfig.parse(Hostile.hex(HIGH_720P30));
        AvcConfig same = AvcConfig.parse(Hostile.hex(HIGH_720P30));

        assertEquals(one, same);
        assertEquals(one.hashCode(), same.hashCode());
        assertNotEquals(one, AvcConfig.parse(Hostile.hex(SCALING_LISTS)));
    }

    @Test
    void bytes_sourceWrittenLater_stayAsTheyWere() {
        var source = Hostile.hex(HIGH_720P30);
        AvcConfig config = AvcConfig.parse(source);

        source.fill((byte) 0);

        assertEquals(AvcConfig.parse(Hostile.hex(HIGH_720P30)), config);
        assertTrue(config.bytes().isReadOnly());
    }

    @ParameterizedTest
    @CsvSource({HIGH_720P30, BASELINE_360P25, MAIN_1918X1078, INTERLACED_422_HRD})
    void of_parameterSetsOfARecord_writesTheSameRecord(String hex) {
        AvcConfig config = AvcConfig.parse(Hostile.hex(hex));

        AvcConfig written =
                AvcConfig.of(config.sequenceParameterSets(), config.frameParameterSets());

        assertEquals(config, written);
    }

    @Test
    void parse_threeByteLengths_namesFieldAndOffset() {
        String wrong = HIGH_720P30.substring(0, 8) + "fe" + HIGH_720P30.substring(10);

        var thrown =
                assertThrows(
                        MalformedMediaException.class, () -> AvcConfig.parse(Hostile.hex(wrong)));

        assertEquals(
                "avcC.lengthSizeMinusOne at byte 4: 2 (expected: 0, 1 or 3)", thrown.getMessage());
    }

    @Test
    void parse_noSequenceParameterSet_isRefused() {
        var thrown =
                assertThrows(
                        MalformedMediaException.class,
                        () -> AvcConfig.parse(Hostile.hex("0164001fffe000")));

        assertEquals(
                "avcC.numOfSequenceParameterSets at byte 5: 0 (expected: 1..31)",
                thrown.getMessage());
    }

    @ParameterizedTest
    @CsvSource({HIGH_720P30, MAIN_1918X1078, SCALING_LISTS, INTERLACED_422_HRD})
    void parse_hostileBytes_onlyMalformed(String hex) {
        Hostile.attack(
                hex,
                bytes -> {
                    AvcConfig config = AvcConfig.parse(bytes);
                    if (bytes.byteSize() > ConfigBytes.MAX_BYTES) {
                        throw new AssertionError(config);
                    }
                });
    }
}
