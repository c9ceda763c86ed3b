package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AudioSpecificConfig;
import touchline.testing.CodecRecords;
import touchline.testing.SyntheticStream;

final class SourceComparisonTest {
    private static final Track VIDEO = SyntheticStream.VIDEO_TRACK;
    private static final Track AUDIO = SyntheticStream.AUDIO_TRACK;

    @Test
    void differences_sameMedia_areNone() {
        assertEquals(
                List.of(),
                SourceComparison.differences(List.of(VIDEO, AUDIO), List.of(AUDIO, VIDEO)));
    }

    @Test
    void differences_ofAudio_areNamed() {
        Track mono =
                new Track(
                        Track.AUDIO_ID,
                        new Timescale(44_100),
                        new CodecConfig.Aac(AudioSpecificConfig.of(44_100, 1)));

        List<String> found =
                SourceComparison.differences(List.of(VIDEO, AUDIO), List.of(VIDEO, mono));

        assertEquals(
                List.of(
                        "audio is 2 channels and 1 channel",
                        "audio has 48000.0 and 44100.0 samples a second"),
                found);
        assertTrue(SourceComparison.warning(found).contains("set both encoders to the same"));
    }

    @Test
    void differences_ofVideo_areNamed() {
        Track av1 = new Track(Track.VIDEO_ID, Timescale.VIDEO, CodecRecords.av1());
        Track hevc = new Track(Track.VIDEO_ID, Timescale.VIDEO, CodecRecords.hevc());

        assertEquals(
                List.of("video is H.264 and H.265"),
                SourceComparison.differences(List.of(VIDEO), List.of(hevc)));
        assertEquals(
                List.of("video is H.265 and AV1", "video is 1280x720 and 640x360"),
                SourceComparison.differences(List.of(hevc), List.of(av1)));
    }

    /** Opus packets do not say a rate. */
    @Test
    void differences_rateThatIsNotKnown_isNoDifference() {
        Track opus = new Track(Track.AUDIO_ID, new Timescale(48_000), CodecRecords.opus());

        assertEquals(
                List.of("only the backup has video", "audio is Opus and AAC"),
                SourceComparison.differences(List.of(opus), List.of(VIDEO, AUDIO)));
    }

    @Test
    void driftWarning_eachDirection_isNamed() {
        assertTrue(
                SourceComparison.driftWarning(41.6).startsWith("the backup's clock runs 42 ppm"));
        assertTrue(SourceComparison.driftWarning(41.6).contains("faster"));
        assertTrue(SourceComparison.driftWarning(-41.6).contains("42 ppm slower"));
    }

    @Test
    void differences_otherCodec_andMissingTrack_areNamed() {
        Track mp3 =
                new Track(Track.AUDIO_ID, new Timescale(48_000), new CodecConfig.Mp3(48_000, 2));

        assertEquals(
                List.of("only the primary has video", "audio is AAC and MP3"),
                SourceComparison.differences(List.of(VIDEO, AUDIO), List.of(mp3)));
    }
}
