package touchline.media.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AudioSpecificConfigTest {
    @ParameterizedTest
    @CsvSource({
        // Low complexity, as sent by encoders.
        "1190,2,48000,2,1024,mp4a.40.2",
        "1208,2,44100,1,1024,mp4a.40.2",
        "11b0,2,48000,6,1024,mp4a.40.2",
        "11b8,2,48000,8,1024,mp4a.40.2",
        // Frames of 960.
        "1194,2,48000,2,960,mp4a.40.2",
        // A rate outside the table: 50 000 Hz.
        "178061a810,2,50000,2,1024,mp4a.40.2",
        // Explicit SBR: core 24 000, output 48 000.
        "2b118800,5,24000,2,1024,mp4a.40.5",
        // Explicit SBR and PS: one channel is decoded to two.
        "eb098800,29,24000,2,1024,mp4a.40.29",
        // Backward-compatible SBR, followed by PS.
        "131056e598,5,24000,2,1024,mp4a.40.5",
        "130856e59d4880,29,24000,2,1024,mp4a.40.29",
        // As written by ffmpeg's encoder: sync extension, no SBR.
        "120856e500,2,44100,1,1024,mp4a.40.2"
    })
    void parse_knownForms_readsAll(
            String hex, int objectType, int rateHz, int channels, int samples, String rfc6381) {
        AudioSpecificConfig config = AudioSpecificConfig.parse(Hostile.hex(hex));

        assertEquals(objectType, config.objectType());
        assertEquals(rateHz, config.sampleRateHz());
        assertEquals(channels, config.channels());
        assertEquals(samples, config.samplesPerFrame());
        assertEquals(rfc6381, config.rfc6381());
        assertEquals(AudioSpecificConfig.parse(Hostile.hex(hex)), config);
    }

    /** One front channel pair only; bit layout by ISO/IEC 14496-3, 4.4.1.1. */
    @Test
    void parse_programConfigElement_countsItsChannels() {
        // 00010 0011 0000 0 0 0 | tag 0000 type 01 rate 0011 | front 0001 side 0 back 0 lfe 0
        // assoc 0 cc 0 | no mixdowns | cpe 1 tag 0000 | align | comment 0
        String bits =
                "00010" + "0011" + "0000" + "000" + "0000" + "01" + "0011" + "0001" + "0000"
                        + "0000" + "00" + "000" + "0000" + "000" + "1" + "0000";
        String padded = bits + "0".repeat((8 - bits.length() % 8) % 8) + "00000000";
        byte[] bytes = new byte[padded.length() / 8];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(padded.substring(i * 8, i * 8 + 8), 2);
        }
        String hex = HexFormat.of().formatHex(bytes);

        assertEquals(2, AudioSpecificConfig.parse(Hostile.hex(hex)).channels());
        Hostile.attack(hex, AudioSpecificConfig::parse);
    }

    @ParameterizedTest
    @CsvSource({"48000,2", "44100,1", "8000,6", "96000,8"})
    void of_rateAndChannels_readsBack(int rateHz, int channels) {
        AudioSpecificConfig config = AudioSpecificConfig.of(rateHz, channels);

        assertEquals(rateHz, config.sampleRateHz());
        assertEquals(channels, config.channels());
        assertEquals(2, config.objectType());
        assertEquals(1024, config.samplesPerFrame());
    }

    @Test
    void adtsHeader_stereo48k_isTheStandards() {
        byte[] header = AudioSpecificConfig.of(48_000, 2).adtsHeader(371);

        // Length 378: 13 bits 0000101111010.
        assertArrayEquals(HexFormat.of().parseHex("fff14c802f5ffc"), header);
    }

    @Test
    void adtsHeader_noRoom_isRefused() {
        AudioSpecificConfig config = AudioSpecificConfig.of(48_000, 2);
        AudioSpecificConfig oddRate = AudioSpecificConfig.parse(Hostile.hex("178061a810"));

        assertThrows(IllegalArgumentException.class, () -> config.adtsHeader(8_185));
        assertThrows(IllegalArgumentException.class, () -> oddRate.adtsHeader(100));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "12", "1688", "1178", "f8e8", "17800000f2"})
    void parse_wrong_isRefused(String hex) {
        assertThrows(
                MalformedMediaException.class, () -> AudioSpecificConfig.parse(Hostile.hex(hex)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1190", "178061a810", "2b118800", "130856e59d4880"})
    void parse_hostileBytes_onlyMalformed(String hex) {
        Hostile.attack(hex, AudioSpecificConfig::parse);
    }
}
