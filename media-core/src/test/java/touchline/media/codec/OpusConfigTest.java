package touchline.media.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OpusConfigTest {
    private static final String MAGIC = "4f70757348656164";
    private static final String STEREO = MAGIC + "0102380180bb0000000000";
    private static final String SURROUND = MAGIC + "0106380180bb0000000001" + "0402000401020305";

    @Test
    void parse_withAndWithoutMagic_isTheSame() {
        OpusConfig config = OpusConfig.parse(Hostile.hex(STEREO));

        assertEquals(2, config.channels());
        assertEquals(312, config.preSkip());
        assertEquals(48_000, config.inputSampleRateHz());
        assertEquals(config, OpusConfig.parse(Hostile.hex(STEREO.substring(MAGIC.length()))));
        assertEquals(-1, config.bytes().mismatch(Hostile.hex(STEREO)));
    }

    @Test
    void parse_surround_readsItsMapping() {
        assertEquals(6, OpusConfig.parse(Hostile.hex(SURROUND)).channels());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                MAGIC,
                MAGIC + "1002380180bb0000000000",
                MAGIC + "0100380180bb0000000000",
                MAGIC + "0103380180bb0000000000",
                MAGIC + "0106380180bb0000000001" + "0402000401020306",
                MAGIC + "0106380180bb0000000001" + "0405000401020305"
            })
    void parse_wrong_isRefused(String hex) {
        assertThrows(MalformedMediaException.class, () -> OpusConfig.parse(Hostile.hex(hex)));
    }

    @ParameterizedTest
    @ValueSource(strings = {STEREO, SURROUND})
    void parse_hostileBytes_onlyMalformed(String hex) {
        Hostile.attack(hex, OpusConfig::parse);
    }
}
