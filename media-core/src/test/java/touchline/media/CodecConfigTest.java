package touchline.media;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.testing.CodecRecords;
import touchline.testing.SyntheticStream;

final class CodecConfigTest {
    private static final CodecConfig AVC = new CodecConfig.Avc(SyntheticStream.AVC);
    private static final CodecConfig AAC = new CodecConfig.Aac(SyntheticStream.AAC);
    private static final CodecConfig MP3 = new CodecConfig.Mp3(44_100, 1);

    @Test
    void rfc6381_eachCodec_isItsParameter() {
        assertEquals("avc1.64001f", AVC.rfc6381());
        assertEquals("hvc1.1.6.L93.90", CodecRecords.hevc().rfc6381());
        assertEquals("av01.0.01M.08", CodecRecords.av1().rfc6381());
        assertEquals("mp4a.40.2", AAC.rfc6381());
        assertEquals("opus", CodecRecords.opus().rfc6381());
        assertEquals("mp4a.40.34", MP3.rfc6381());
    }

    @Test
    void audioChannels_audio_areThoseOfItsConfiguration() {
        assertEquals(2, AAC.audioChannels());
        assertEquals(2, CodecRecords.opus().audioChannels());
        assertEquals(1, MP3.audioChannels());
    }

    @Test
    void audioChannels_video_isRefused() {
        for (CodecConfig video : List.of(AVC, CodecRecords.hevc(), CodecRecords.av1())) {
            assertTrue(video.isVideo());
            var refused = assertThrows(IllegalArgumentException.class, video::audioChannels);
            assertEquals("not audio: " + video.rfc6381(), refused.getMessage());
        }
    }

    @Test
    void sequences_video_haveTheSizeOfAFrame_audioHasNone() {
        assertEquals(640L * 360, CodecRecords.av1().sequences().getFirst().pixels());
        assertEquals(1_280L * 720, CodecRecords.hevc().sequences().getFirst().pixels());
        assertEquals(1_280L * 720, AVC.sequences().getFirst().pixels());
        for (CodecConfig audio : List.of(AAC, CodecRecords.opus(), MP3)) {
            assertFalse(audio.isVideo());
            assertEquals(List.of(), audio.sequences());
        }
    }

    @Test
    void mp3_withoutRateOrChannels_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> new CodecConfig.Mp3(0, 1));
        assertThrows(IllegalArgumentException.class, () -> new CodecConfig.Mp3(44_100, 0));
    }
}
