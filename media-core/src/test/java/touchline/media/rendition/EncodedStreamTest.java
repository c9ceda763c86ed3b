package touchline.media.rendition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.TestMedia;
import touchline.media.ffmpeg.VideoEncoder;
import touchline.media.ffmpeg.VideoSettings;

final class EncodedStreamTest {
    private static EncodedStream stream(
            int width, int height, int frameRate, H264Encoder encoder, int threads) {
        return new EncodedStream(
                new FrameFormat(width, height, Colour.BT709),
                /* onGpu= */ false,
                /* sampleAspect= */ 1,
                FrameRate.of(frameRate),
                400_000,
                new RenditionEncoding(
                        encoder,
                        VideoSettings.Speed.ULTRAFAST,
                        threads,
                        /* hardwareDecoder= */ false));
    }

    /** A GPU limits its number of encoders. */
    @ParameterizedTest
    @EnumSource
    void open_encoderThatTheHostLacks_continuesWithAnother(H264Encoder wanted) {
        try (VideoEncoder opened = stream(320, 180, 25, wanted, 1).open()) {
            H264Encoder used = opened.settings().encoder();

            assertTrue(Ffmpeg.encoders().canUse(used), used::name);
            if (Ffmpeg.encoders().canUse(wanted)) {
                assertEquals(wanted, used);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"320, 180, 25, 1", "1280, 720, 60, 1", "1920, 1080, 30, 2", "1920, 1088, 120, 4"})
    void open_threadsLeftOpen_growWithTheSamplesPerSecond(
            int width, int height, int frameRate, int threads) {
        int processors = Runtime.getRuntime().availableProcessors();
        try (VideoEncoder opened =
                stream(width, height, frameRate, TestMedia.encoder(), /* threads= */ 0).open()) {
            assertEquals(Math.min(threads, processors), opened.settings().tuning().threads());
        }
    }

    @Test
    void open_threadsOfTheConfiguration_areUsed() {
        try (VideoEncoder opened = stream(320, 180, 25, TestMedia.encoder(), 3).open()) {
            assertEquals(3, opened.settings().tuning().threads());
        }
    }
}
