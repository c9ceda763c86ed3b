package touchline.media.standby;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.FfmpegException;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.TestMedia;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.hub.StandbyMedia;

final class StillVideoTest {
    private static VideoFrame grey(int width, int height) {
        VideoFrame frame = VideoFrame.allocate(new FrameFormat(width, height, Colour.BT601));
        frame.planes().forEach(plane -> plane.samples().fill((byte) 128));
        return frame;
    }

    private static StandbyMedia.Loop encode(
            int width, int height, double frameRate, List<H264Encoder> encoders) {
        try (VideoFrame frame = grey(width, height)) {
            return StillVideo.encode(frame, frameRate, encoders);
        }
    }

    /** Two seconds, or two frames; the length is exact, also for 30000/1001. */
    @ParameterizedTest
    @CsvSource({
        "0, 50, 180000",
        "25, 50, 180000",
        "29.97, 60, 180180",
        "12.5, 25, 180000",
        "5, 10, 180000",
        "0.2, 2, 180000",
        "500, 240, 180000"
    })
    void encode_frameRate_isThatOfTheSourceWithinLimits(
            double frameRate, int frames, long lengthTicks) {
        StandbyMedia.Loop loop = encode(64, 48, frameRate, List.of(TestMedia.encoder()));

        assertEquals(frames, loop.units().size());
        assertEquals(lengthTicks, loop.lengthTicks());
        assertTrue(loop.units().getFirst().isKeyFrame());
        assertEquals(1, loop.units().stream().filter(AccessUnit::idr).count());
    }

    @Test
    void encode_oddSize_losesTheOddRowAndColumn() {
        StandbyMedia.Loop loop = encode(97, 65, 5, List.of(TestMedia.encoder()));

        CodecConfig.Avc codec = (CodecConfig.Avc) loop.track().codec();
        assertEquals(96, codec.config().width());
        assertEquals(64, codec.config().height());
        assertEquals(10, loop.units().size());
    }

    @Test
    void encode_encoderThatTheHostLacks_continuesWithTheNext() {
        StandbyMedia.Loop loop =
                encode(320, 240, 5, List.of(H264Encoder.NVENC, TestMedia.encoder()));

        assertEquals(10, loop.units().size());
    }

    @Test
    void encode_onlyEncodersThatTheHostLacks_saysWhy() {
        if (!Ffmpeg.encoders().canUse(H264Encoder.NVENC)) {
            var refused =
                    assertThrows(
                            FfmpegException.class,
                            () -> encode(320, 240, 5, List.of(H264Encoder.NVENC)));

            assertTrue(
                    String.valueOf(refused.getMessage()).contains("h264_nvenc"),
                    refused::getMessage);
        }
    }

    @Test
    void encode_noEncoder_isRefused() {
        var refused = assertThrows(FfmpegException.class, () -> encode(64, 48, 5, List.of()));

        assertEquals("avcodec_find_encoder", refused.call());
        assertTrue(
                String.valueOf(refused.getMessage()).contains("no encoder of H.264"),
                refused::getMessage);
    }
}
