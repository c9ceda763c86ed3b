package touchline.media.ffmpeg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avutil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FilterGraphTest {
    private static final FrameFormat FORMAT = new FrameFormat(64, 48, Colour.BT709);
    private static final String SOURCE =
            "video_size=64x48:pix_fmt=0:time_base=1/90000:pixel_aspect=1/1";

    private final VideoFrame given = VideoFrame.allocate(FORMAT);
    private final AVFrame out = avutil.av_frame_alloc();

    @AfterEach
    void free() {
        given.close();
        avutil.av_frame_free(out);
    }

    @Test
    void video_chain_isAppliedToEachFrame() {
        TestFrames.flat(given, 60, 128, 128);
        given.ptsTicks(900);
        try (FilterGraph graph = FilterGraph.video(SOURCE, "scale=32:24", /* threads= */ 1)) {
            assertFalse(graph.pull(out), "no frame yet");

            graph.push(given.frame());

            assertTrue(graph.pull(out));
            assertEquals(32, out.width());
            assertEquals(24, out.height());
            assertEquals(900, out.pts());
            assertEquals(90_000, graph.timeBase().den());
        }
        assertEquals(64, given.format().width(), "the frame is the caller's");
    }

    @Test
    void push_end_releasesWhatTheChainHolds() {
        TestFrames.flat(given, 60, 128, 128);
        try (FilterGraph graph = FilterGraph.video(SOURCE, "reverse", /* threads= */ 1)) {
            graph.push(given.frame());
            assertFalse(graph.pull(out), "the filter waits for the last frame");

            graph.push(null);

            assertTrue(graph.pull(out));
            avutil.av_frame_unref(out);
            assertFalse(graph.pull(out), "the stream has ended");
        }
    }

    @Test
    void video_filterThatIsNotThere_isRefused() {
        var refused =
                assertThrows(
                        FfmpegException.class,
                        () -> FilterGraph.video(SOURCE, "no_such_filter", /* threads= */ 1));

        assertTrue(
                String.valueOf(refused.getMessage()).startsWith("avfilter_graph_parse_ptr"),
                refused::toString);
        assertFalse(FilterGraph.has("no_such_filter"));
    }

    @Test
    void video_sourceWithoutASize_isRefused() {
        var refused =
                assertThrows(
                        FfmpegException.class,
                        () -> FilterGraph.video("pix_fmt=0", "null", /* threads= */ 1));

        assertTrue(
                String.valueOf(refused.getMessage())
                        .startsWith("avfilter_graph_create_filter buffer"),
                refused::toString);
    }

    @Test
    void close_twice_isAllowed() {
        FilterGraph graph = FilterGraph.video(SOURCE, "null", /* threads= */ 1);

        graph.close();
        graph.close();
    }
}
