package touchline.media.transcode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.bytedeco.ffmpeg.avcodec.AVCodecContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import touchline.media.ffmpeg.CodecContext;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.FfmpegException;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.TestMedia;
import touchline.media.ffmpeg.VideoSettings;
import touchline.media.file.SourceAudio;
import touchline.media.file.SourceVideo;

final class FileEncodersTest {
    private static final int RATE_BPS = 400_000;

    private static SourceVideo source(SourceVideo.Transfer transfer, Colour colour) {
        return new SourceVideo(
                0,
                "h264",
                640,
                360,
                /* sampleAspect= */ 1,
                /* rotationDegrees= */ 0,
                transfer,
                /* plain= */ true,
                /* interlaced= */ false,
                new FrameRate(30_000, 1_001),
                colour);
    }

    private static SourceVideo plain() {
        return source(SourceVideo.Transfer.SDR, Colour.BT601);
    }

    private static FileEncoding encoding(H264Encoder encoder) {
        return new FileEncoding(encoder, VideoSettings.Speed.ULTRAFAST, /* threads= */ 1);
    }

    private static TranscodePlan.RenditionSettings size(int width, boolean constantQuality) {
        return new TranscodePlan.RenditionSettings(width, 180, RATE_BPS, constantQuality);
    }

    @ParameterizedTest
    @EnumSource
    void video_eachUsableEncoder_hasTheSizeAndRateOfThePlan(H264Encoder encoder) {
        if (!Ffmpeg.encoders().canUse(encoder)) {
            assertThrows(
                    FfmpegException.class,
                    () -> FileEncoders.video(plain(), size(320, true), encoding(encoder), true));
            assertThrows(
                    FfmpegException.class,
                    () -> FileEncoders.video(plain(), size(320, false), encoding(encoder), true));
            return;
        }
        try (CodecContext opened =
                FileEncoders.video(plain(), size(320, false), encoding(encoder), true)) {
            AVCodecContext context = opened.context();
            assertEquals(320, context.width());
            assertEquals(180, context.height());
            assertEquals(RATE_BPS, context.bit_rate());
            assertEquals(90_000, context.time_base().den());
            assertEquals(30_000, context.framerate().num());
            assertEquals(1_001, context.framerate().den());
            assertEquals(encoder == H264Encoder.OPENH264 ? 0 : 2, context.max_b_frames());
            assertFalse(context.extradata().isNull(), "parameter sets before the first frame");
        }
    }

    @Test
    void video_withoutReordering_hasNoBFrames() {
        try (CodecContext opened =
                FileEncoders.video(
                        plain(), size(320, true), encoding(TestMedia.encoder()), false)) {
            assertEquals(0, opened.context().max_b_frames());
            assertEquals(RATE_BPS, opened.context().rc_max_rate());
        }
    }

    @Test
    void video_ofHdr_isTaggedAsBt709() {
        SourceVideo hdr = source(SourceVideo.Transfer.PQ, new Colour(9, 16, 9, false));
        try (CodecContext opened =
                FileEncoders.video(hdr, size(320, true), encoding(TestMedia.encoder()), false)) {
            assertEquals(Colour.BT709.primaries(), opened.context().color_primaries());
            assertEquals(Colour.BT709.transfer(), opened.context().color_trc());
            assertEquals(Colour.BT709.matrix(), opened.context().colorspace());
        }
    }

    @Test
    void video_widthThatH264Lacks_isRefused() {
        assertThrows(
                FfmpegException.class,
                () ->
                        FileEncoders.video(
                                plain(),
                                size(/* width= */ 0, true),
                                encoding(TestMedia.encoder()),
                                false));
    }

    @Test
    void audio_planOfTheFile_isSet() {
        SourceAudio source = new SourceAudio(1, "mp3", false, 44_100, 2);
        try (CodecContext opened =
                FileEncoders.audio(new TranscodePlan.Audio.Encode(source, 44_100, 2, 96_000))) {
            assertEquals(44_100, opened.context().sample_rate());
            assertEquals(2, opened.context().ch_layout().nb_channels());
            assertEquals(96_000, opened.context().bit_rate());
        }
    }

    @Test
    void audio_rateThatAacLacks_isRefused() {
        SourceAudio source = new SourceAudio(1, "mp3", false, 44_100, 2);

        assertThrows(
                FfmpegException.class,
                () ->
                        FileEncoders.audio(
                                new TranscodePlan.Audio.Encode(source, 44_099, 2, 96_000)));
    }
}
