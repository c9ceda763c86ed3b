package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AudioSpecificConfig;
import touchline.testing.CodecRecords;
import touchline.testing.SyntheticStream;

final class FrameDurationTest {
    private static long ticks(CodecConfig codec, int ticksPerSecond, int... payload) {
        byte[] bytes = new byte[payload.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) payload[i];
        }
        Track track = new Track(Track.AUDIO_ID, new Timescale(ticksPerSecond), codec);
        return FrameDuration.ticks(new AccessUnit(track, 0, 0, true, MemorySegment.ofArray(bytes)));
    }

    /** RFC 6716, 3.1: the configuration in the upper five bits, the kind of packet in two. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 480",
        "3, 0, 2880",
        "9, 0, 960",
        "12, 0, 480",
        "15, 0, 960",
        "16, 0, 120",
        "31, 0, 960",
        "31, 1, 1920",
        "31, 2, 1920"
    })
    void ticks_opus_areThoseOfItsTableOfContents(int configuration, int kind, long samples) {
        int contents = configuration << 3 | kind;

        assertEquals(samples, ticks(CodecRecords.opus(), 48_000, contents, 0));
    }

    @ParameterizedTest
    @CsvSource({"3, 2880", "63, 5760", "0, 960", "67, 2880"})
    void ticks_opusWithACount_areThatManyFrames_atMost120Ms(int count, long samples) {
        assertEquals(samples, ticks(CodecRecords.opus(), 48_000, 31 << 3 | 3, count));
    }

    @Test
    void ticks_opusCutOff_areOneFrame() {
        assertEquals(960, ticks(CodecRecords.opus(), 48_000));
        assertEquals(960, ticks(CodecRecords.opus(), 48_000, 31 << 3 | 3));
    }

    @Test
    void ticks_otherTimescale_areThoseOfTheTrack() {
        assertEquals(20, ticks(CodecRecords.opus(), 1_000, 31 << 3));
        assertEquals(1_920, ticks(new CodecConfig.Aac(AudioSpecificConfig.of(48_000, 2)), 90_000));
    }

    @Test
    void ticks_mp3_areHalfBelow32Kilohertz() {
        assertEquals(1_152, ticks(new CodecConfig.Mp3(44_100, 2), 44_100));
        assertEquals(576, ticks(new CodecConfig.Mp3(22_050, 2), 22_050));
    }

    @Test
    void ticks_neverNone() {
        assertEquals(1, ticks(new CodecConfig.Aac(AudioSpecificConfig.of(48_000, 2)), 10));
        assertEquals(1, ticks(new CodecConfig.Avc(SyntheticStream.AVC), 90_000));
    }
}
