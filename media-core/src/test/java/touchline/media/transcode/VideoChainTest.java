package touchline.media.transcode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FilterGraph;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.file.SourceVideo;

final class VideoChainTest {
    private static final String END = ",format=yuv420p,setsar=1";

    private static SourceVideo source(int width, int height, double sampleAspect, int rotation) {
        return new SourceVideo(
                0,
                "h264",
                width,
                height,
                sampleAspect,
                rotation,
                SourceVideo.Transfer.SDR,
                /* plain= */ true,
                /* interlaced= */ false,
                FrameRate.of(25),
                Colour.BT709);
    }

    private static TranscodePlan.RenditionSettings size(int width, int height) {
        return new TranscodePlan.RenditionSettings(width, height, 500_000, true);
    }

    @ParameterizedTest
    @CsvSource({
        "0, ''",
        "90, 'transpose=clock,'",
        "180, 'hflip,vflip,'",
        "270, 'transpose=cclock,'"
    })
    void of_rotation_turnsTheFrameBeforeItIsScaled(int degrees, String turns) {
        assertEquals(
                turns + "scale=320:180:flags=bicubic:out_range=tv" + END,
                VideoChain.of(source(640, 360, 1, degrees), size(320, 180), 640, 360));
    }

    /** From 16:9 to 4:3 in the middle of the file: bars on the left and on the right. */
    @Test
    void of_frameOfAnotherShape_isFittedWithBars() {
        assertEquals(
                "scale=240:180:flags=bicubic:out_range=tv,pad=320:180:(ow-iw)/2:(oh-ih)/2" + END,
                VideoChain.of(source(640, 360, 1, 0), size(320, 180), 640, 480));
    }

    @Test
    void of_frameOfAnotherShape_countsItsSampleAspect() {
        assertEquals(
                "scale=320:90:flags=bicubic:out_range=tv,pad=320:180:(ow-iw)/2:(oh-ih)/2" + END,
                VideoChain.of(source(320, 360, 2, 0), size(320, 180), 640, 360));
    }

    @Test
    void of_turnedFrameOfAnotherShape_isFittedUpright() {
        assertEquals(
                "transpose=clock,scale=180:240:flags=bicubic:out_range=tv,"
                        + "pad=180:320:(ow-iw)/2:(oh-ih)/2"
                        + END,
                VideoChain.of(source(640, 360, 1, 90), size(180, 320), 640, 480));
    }

    @ParameterizedTest
    @CsvSource({"0", "90", "180", "270"})
    void of_eachChain_isValidInFfmpeg(int rotation) {
        String chain = VideoChain.of(source(640, 360, 1, rotation), size(320, 180), 352, 288);

        FilterGraph.video(
                        "video_size=352x288:pix_fmt=0:time_base=1/90000:pixel_aspect=1/1",
                        chain,
                        /* threads= */ 1)
                .close();
    }
}
