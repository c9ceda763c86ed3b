package touchline.media.transcode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.file.SourceAudio;
import touchline.media.file.SourceVideo;
import touchline.media.file.UnsupportedMediaException;

final class TranscodePlanTest {
    private static final SourceVideo PLAIN = source("h264", 1280, 720, 0);
    private static final SourceAudio STEREO = new SourceAudio(1, "aac", true, 48_000, 2);

    private static SourceVideo source(String codec, int width, int height, int rotation) {
        return new SourceVideo(
                0,
                codec,
                width,
                height,
                /* sampleAspect= */ 1,
                rotation,
                SourceVideo.Transfer.SDR,
                /* plain= */ true,
                /* interlaced= */ false,
                FrameRate.of(25),
                Colour.BT709);
    }

    private static TranscodePlan plan(SourceVideo video, TranscodeRequest request) {
        return TranscodePlan.of(
                Optional.of(video), Optional.of(STEREO), request, /* mayCopy= */ true);
    }

    private static List<TranscodePlan.RenditionSettings> renditions(
            SourceVideo video, TranscodeRequest request) {
        return assertInstanceOf(
                        TranscodePlan.Video.Encode.class,
                        plan(video, request).video().orElseThrow())
                .renditions();
    }

    private static TranscodeRequest mp4(Integer... heights) {
        return TranscodeRequest.of(FileFormat.MP4).withHeights(heights);
    }

    @Test
    void nothingToChange_isCopied() {
        assertTrue(plan(PLAIN, mp4()).copiesAll());
        assertTrue(plan(PLAIN, mp4(720)).copiesAll());
    }

    @Test
    void copyThatFailed_isEncoded() {
        TranscodePlan plan =
                TranscodePlan.of(Optional.of(PLAIN), Optional.of(STEREO), mp4(), false);

        assertInstanceOf(TranscodePlan.Video.Encode.class, plan.video().orElseThrow());
        assertInstanceOf(TranscodePlan.Audio.Encode.class, plan.audio().orElseThrow());
    }

    @Test
    void otherHeight_keepsTheAspectInEvenSizes() {
        TranscodePlan.RenditionSettings settings = renditions(PLAIN, mp4(270)).getFirst();

        assertEquals(270, settings.height());
        assertEquals(480, settings.width());
        assertEquals(358, renditions(source("h264", 641, 361, 0), mp4(202)).getFirst().width());
    }

    @Test
    void oddSource_losesTheOddLine() {
        TranscodePlan.RenditionSettings settings =
                renditions(source("hevc", 641, 361, 0), mp4()).getFirst();

        assertEquals(640, settings.width());
        assertEquals(360, settings.height());
    }

    @Test
    void turnedSource_isPutUpright() {
        TranscodePlan plan = plan(source("h264", 1280, 720, 90), mp4());

        TranscodePlan.RenditionSettings settings =
                renditions(source("h264", 1280, 720, 90), mp4()).getFirst();
        assertEquals(720, settings.width());
        assertEquals(1280, settings.height());
        assertTrue(plan.notes().contains("the rotation of 90 degrees was applied"));
    }

    @Test
    void ladder_sharesTheBitrateByPixels() {
        List<TranscodePlan.RenditionSettings> renditions =
                renditions(
                        PLAIN,
                        new TranscodeRequest(
                                FileFormat.HLS,
                                List.of(180, 720),
                                OptionalInt.of(4_000_000),
                                OptionalInt.empty()));

        assertEquals(
                List.of(720, 180),
                renditions.stream().map(TranscodePlan.RenditionSettings::height).toList());
        assertEquals(4_000_000, renditions.getFirst().bitrateBps());
        assertEquals(500_000, renditions.getLast().bitrateBps());
    }

    private static TranscodeRequest renditions() {
        return TranscodeRequest.of(FileFormat.HLS).withRenditions();
    }

    @Test
    void renditions_areThoseOfALiveStream_belowACopy() {
        TranscodePlan plan = plan(PLAIN, renditions());

        TranscodePlan.Video.CopyAndEncode ladder =
                assertInstanceOf(
                        TranscodePlan.Video.CopyAndEncode.class, plan.video().orElseThrow());
        assertEquals(
                List.of(
                        new TranscodePlan.RenditionSettings(854, 480, 1_500_000, false),
                        new TranscodePlan.RenditionSettings(640, 360, 900_000, false)),
                ladder.smaller());
        assertFalse(plan.copiesAll());
        assertTrue(plan.followsCopy());
    }

    @Test
    void renditions_ofAPortrait_keepTheShorterSide() {
        TranscodePlan.Video.CopyAndEncode ladder =
                assertInstanceOf(
                        TranscodePlan.Video.CopyAndEncode.class,
                        plan(source("h264", 720, 1280, 0), renditions()).video().orElseThrow());

        assertEquals(480, ladder.smaller().getFirst().width());
        assertEquals(854, ladder.smaller().getFirst().height());
    }

    @Test
    void renditions_ofASourceThatCannotBeCopied_areBelowAnEncodedOne() {
        List<TranscodePlan.RenditionSettings> all =
                renditions(source("hevc", 1280, 720, 0), renditions());

        assertEquals(
                List.of(720, 480, 360),
                all.stream().map(TranscodePlan.RenditionSettings::height).toList());
        assertTrue(all.getFirst().constantQuality());
        assertEquals(900_000, all.getLast().bitrateBps());
    }

    @Test
    void renditions_withABitrate_haveTheirSharesOfIt() {
        List<TranscodePlan.RenditionSettings> all =
                renditions(
                        PLAIN,
                        new TranscodeRequest(
                                FileFormat.HLS,
                                List.of(),
                                OptionalInt.of(4_000_000),
                                OptionalInt.empty(),
                                /* renditions= */ true));

        assertEquals(4_000_000, all.getFirst().bitrateBps());
        assertEquals(1_414_214, all.getLast().bitrateBps());
    }

    @Test
    void renditions_ofASmallSource_areNone_andItSaysSo() {
        TranscodePlan plan = plan(source("h264", 426, 240, 0), renditions());

        assertTrue(plan.copiesAll());
        assertEquals(List.of("the input is too small for renditions below it"), plan.notes());
    }

    @Test
    void renditions_ofAnotherFormat_orWithHeights_areRefused() {
        assertThrows(IllegalArgumentException.class, () -> mp4().withRenditions());
        assertThrows(IllegalArgumentException.class, () -> renditions().withHeights(360));
    }

    @Test
    void manyChannels_areMixedToStereo() {
        SourceAudio surround = new SourceAudio(1, "ac3", false, 44_100, 6);

        TranscodePlan plan = TranscodePlan.of(Optional.empty(), Optional.of(surround), mp4(), true);

        TranscodePlan.Audio.Encode audio =
                assertInstanceOf(TranscodePlan.Audio.Encode.class, plan.audio().orElseThrow());
        assertEquals(2, audio.channels());
        assertEquals(44_100, audio.sampleRateHz());
        assertTrue(plan.notes().contains("6 channels of audio were mixed to stereo"));
        assertTrue(plan.notes().contains("the input has no video"));
    }

    @Test
    void oddSampleRate_becomesTheUsualOne() {
        SourceAudio odd = new SourceAudio(1, "pcm_s16le", false, 12_345, 1);

        TranscodePlan plan = TranscodePlan.of(Optional.empty(), Optional.of(odd), mp4(), true);

        TranscodePlan.Audio.Encode audio =
                assertInstanceOf(TranscodePlan.Audio.Encode.class, plan.audio().orElseThrow());
        assertEquals(48_000, audio.sampleRateHz());
        assertEquals(64_000, audio.bitrateBps());
    }

    @Test
    void endlessWidth_isRefused() {
        SourceVideo strip = source("h264", 8_000, 16, 0);

        assertThrows(UnsupportedMediaException.class, () -> plan(strip, mp4(1_080)));
    }

    @Test
    void request_outOfRange_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> mp4(181));
        assertThrows(IllegalArgumentException.class, () -> mp4(360, 180));
        assertThrows(IllegalArgumentException.class, () -> mp4(4_322));
    }
}
