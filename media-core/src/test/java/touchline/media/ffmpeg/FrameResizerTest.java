package touchline.media.ffmpeg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.bytedeco.ffmpeg.global.avutil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.media.FrameView;

final class FrameResizerTest {
    /** Also from a width that zimg does not take. */
    @ParameterizedTest
    @CsvSource({"640, 360, 320, 180", "854, 480, 640, 360", "641, 361, 320, 180"})
    void resize_keepsWhereThingsAre(int width, int height, int toWidth, int toHeight) {
        FrameFormat to = new FrameFormat(toWidth, toHeight, Colour.BT601);
        try (VideoFrame ramp = ramp(new FrameFormat(width, height, Colour.BT601));
                FrameResizer resizer = FrameResizer.open(ramp.format(), to);
                VideoFrame small = resizer.resize(ramp)) {
            assertEquals(to, small.format());
            assertEquals(4_500, small.ptsTicks());
            for (int plane = 0; plane < 3; plane++) {
                FrameView.Plane of = small.planes().get(plane);
                int columns = plane == 0 ? toWidth : to.chromaWidth();
                int rows = plane == 0 ? toHeight : to.chromaHeight();
                for (int x = 4; x < columns - 4; x++) {
                    double expected = 16 + 200.0 * (x + 0.5) / columns;
                    assertEquals(expected, sample(of, x, rows / 2), 2, "plane " + plane);
                }
            }
        }
    }

    @Test
    void resize_takesColoursOfTheTarget_andNoSideData() {
        FrameFormat from = new FrameFormat(640, 360, Colour.UNSPECIFIED);
        try (VideoFrame frame = ramp(from);
                FrameResizer resizer =
                        FrameResizer.open(from, new FrameFormat(320, 180, Colour.BT601))) {
            avutil.av_frame_new_side_data(frame.frame(), avutil.AV_FRAME_DATA_A53_CC, 3);
            try (VideoFrame small = resizer.resize(frame)) {
                assertEquals(0, small.frame().nb_side_data());
                assertEquals(Colour.BT601, FrameConverter.colourOf(small.frame()));
                assertEquals(1, frame.frame().nb_side_data());
            }
        }
    }

    @Test
    void frames_outliveTheirResizer_andMemoryIsUsedAgain() {
        FrameFormat from = new FrameFormat(640, 360, Colour.BT601);
        FrameFormat to = new FrameFormat(320, 180, Colour.BT601);
        try (VideoFrame frame = ramp(from)) {
            FrameResizer resizer = FrameResizer.open(from, to);
            long first;
            try (VideoFrame made = resizer.resize(frame)) {
                first = made.planes().getFirst().samples().address();
            }
            VideoFrame again = resizer.resize(frame);
            assertEquals(first, again.planes().getFirst().samples().address());
            resizer.close();
            resizer.close();
            assertTrue(sample(again.planes().getFirst(), 160, 90) > 100);
            again.close();
            assertThrows(IllegalStateException.class, () -> resizer.resize(frame));
        }
    }

    @Test
    void frameOfAnotherSize_isRejected() {
        FrameFormat from = new FrameFormat(640, 360, Colour.BT601);
        try (VideoFrame other = ramp(new FrameFormat(320, 180, Colour.BT601));
                FrameResizer resizer =
                        FrameResizer.open(from, new FrameFormat(320, 180, Colour.BT601))) {
            assertThrows(IllegalArgumentException.class, () -> resizer.resize(other));
        }
    }

    /** From 16 on the left to 216 on the right, in each plane. */
    private static VideoFrame ramp(FrameFormat format) {
        VideoFrame frame = VideoFrame.allocate(format);
        frame.ptsTicks(4_500);
        for (int plane = 0; plane < 3; plane++) {
            FrameView.Plane of = frame.planes().get(plane);
            int columns = plane == 0 ? format.width() : format.chromaWidth();
            int rows = plane == 0 ? format.height() : format.chromaHeight();
            MemorySegment samples = of.samples();
            for (int y = 0; y < rows; y++) {
                for (int x = 0; x < columns; x++) {
                    samples.set(
                            ValueLayout.JAVA_BYTE,
                            (long) y * of.strideBytes() + x,
                            (byte) (16 + Math.round(200.0 * (x + 0.5) / columns)));
                }
            }
        }
        return frame;
    }

    private static int sample(FrameView.Plane plane, int x, int y) {
        return plane.samples().get(ValueLayout.JAVA_BYTE, (long) y * plane.strideBytes() + x)
                & 0xFF;
    }
}
