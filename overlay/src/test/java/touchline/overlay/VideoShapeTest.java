package touchline.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.ffmpeg.FrameRate;
import touchline.testing.CodecRecords;
import touchline.testing.SyntheticStream;

final class VideoShapeTest {
    private static VideoShape of(CodecConfig codec) {
        return VideoShape.of(new Track(Track.VIDEO_ID, Timescale.VIDEO, codec));
    }

    @Test
    void of_eachCodec_isTheSizeOfItsParameterSets() {
        assertEquals(new VideoShape(1_280, 720, 30), VideoShape.of(SyntheticStream.VIDEO_TRACK));
        assertEquals(new VideoShape(1_280, 720, 30), of(CodecRecords.hevc()));
        assertEquals(new VideoShape(640, 360, 0), of(CodecRecords.av1()));
    }

    @Test
    void of_audio_isUnknown() {
        assertEquals(VideoShape.UNKNOWN, VideoShape.of(SyntheticStream.AUDIO_TRACK));
        assertEquals(VideoShape.UNKNOWN, of(CodecRecords.opus()));
    }

    @Test
    void nominalRate_unknownOrImplausible_isTheUsualOne() {
        assertEquals(FrameRate.of(30), VideoShape.UNKNOWN.nominalRate());
        assertEquals(FrameRate.of(30), new VideoShape(640, 360, 1_000).nominalRate());
        assertEquals(new FrameRate(29_970, 1_000), new VideoShape(640, 360, 29.97).nominalRate());
    }
}
