package touchline.media.ffmpeg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import touchline.testing.SyntheticStream;

/** A host without a GPU; where there is one, other tests use it. */
final class GpuAbsentTest {
    private static final FrameFormat FORMAT = new FrameFormat(320, 240, Colour.BT709);

    private static void assertRefused(Supplier<? extends AutoCloseable> use) {
        if (!Gpu.isPresent()) {
            var refused = assertThrows(FfmpegException.class, use::get);
            assertEquals("av_hwdevice_ctx_create", refused.call());
        }
    }

    @Test
    void upload_withoutGpu_isRefused_theFrameIsTheCallers() {
        try (VideoFrame frame = VideoFrame.allocate(FORMAT)) {
            assertRefused(() -> Gpu.upload(frame));

            assertFalse(frame.isOnGpu());
        }
    }

    @Test
    void encoder_ofFramesInItsMemory_isRefused() {
        VideoSettings settings = VideoSettings.live(FORMAT, FrameRate.of(25), H264Encoder.NVENC);

        assertRefused(() -> VideoEncoder.open(settings, 1, /* gpuFrames= */ true));
    }

    @Test
    void decoder_onTheGpu_isNotThere() {
        if (!Gpu.isPresent()) {
            assertEquals(
                    Optional.empty(),
                    VideoDecoder.openOnGpu(SyntheticStream.VIDEO_TRACK, /* keepsFrames= */ true));
            assertFalse(Gpu.isReadBy(H264Encoder.NVENC));
        }
    }

    @Test
    void isReadBy_encodersInSoftware_isFalseOnEachHost() {
        assertFalse(Gpu.isReadBy(H264Encoder.X264));
        assertFalse(Gpu.isReadBy(H264Encoder.OPENH264));
    }
}
