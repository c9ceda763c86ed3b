package touchline.overlay;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.media.FrameView;
import touchline.media.ffmpeg.Colour;

final class VideoBoxTest {
    private static final Canvas CANVAS =
            new Canvas(64, 48, Colour.UNSPECIFIED.orUsual(/* height= */ 48));

    @ParameterizedTest
    @CsvSource({"1, 100", "0.5, 150", "0, 200"})
    void box_ofAnOpacity_isBlendedIntoItsPlaceOnly(double opacity, int expected) {
        CanvasBox box = new CanvasBox(8, 6, 20, 10);
        byte[][] ground = ground(200);

        VideoBox.of(CANVAS, box, even(20, 10, 100))
                .shown(opacity)
                .blendInto(view(ground, 64), new byte[64]);

        assertPlane(ground[0], 64, box, expected);
        CanvasBox chroma = new CanvasBox(4, 3, 10, 5);
        assertPlane(ground[1], 32, chroma, expected);
        assertPlane(ground[2], 32, chroma, expected);
    }

    @Test
    void box_intoSomeRows_isThatOfTheWholeFrame() {
        CanvasBox place = new CanvasBox(8, 6, 20, 10);
        BoxFrame box = VideoBox.of(CANVAS, place, even(20, 10, 100)).shown(0.5);
        byte[][] ground = ground(200);
        // Rows 4 to 19: pairs 2 to 9.
        byte[][] rows = {new byte[64 * 16], new byte[32 * 8], new byte[32 * 8]};
        for (byte[] each : rows) {
            Arrays.fill(each, (byte) 200);
        }

        box.blendInto(view(ground, 64), new byte[64]);
        box.blendInto(view(rows, 64), /* groundPair= */ 2, new byte[64]);

        assertArrayEquals(Arrays.copyOfRange(ground[0], 64 * 4, 64 * 20), rows[0]);
        assertArrayEquals(Arrays.copyOfRange(ground[1], 32 * 2, 32 * 10), rows[1]);
        assertArrayEquals(Arrays.copyOfRange(ground[2], 32 * 2, 32 * 10), rows[2]);
    }

    @Test
    void box_thatReachesBeyondTheCanvas_isCut() {
        byte[][] ground = ground(200);

        VideoBox.of(CANVAS, new CanvasBox(-4, 40, 20, 20), even(20, 20, 100))
                .shown(1)
                .blendInto(view(ground, 64), new byte[64]);

        assertPlane(ground[0], 64, new CanvasBox(0, 40, 16, 8), 100);
    }

    @Test
    void box_outsideTheCanvas_showsNothing() {
        VideoBox outside = VideoBox.of(CANVAS, new CanvasBox(64, 0, 20, 20), even(20, 20, 100));

        assertTrue(outside.shown(1).isEmpty());
    }

    @Test
    void place_thatIsOdd_moves_byAPixelAtMost() {
        assertEquals(new CanvasBox(2, -4, 22, 12), VideoBox.even(new CanvasBox(3, -3, 21, 11)));
        assertThrows(
                IllegalArgumentException.class,
                () -> VideoBox.of(CANVAS, new CanvasBox(1, 0, 20, 10), even(20, 10, 1)));
    }

    private static void assertPlane(byte[] plane, int stride, CanvasBox box, int expected) {
        for (int i = 0; i < plane.length; i++) {
            int x = i % stride - box.x();
            int y = i / stride - box.y();
            boolean inside = x >= 0 && y >= 0 && x < box.width() && y < box.height();
            assertEquals(inside ? expected : 200, plane[i] & 0xFF, 1, "sample " + i);
        }
    }

    private static byte[][] ground(int value) {
        byte[][] planes = {new byte[64 * 48], new byte[32 * 24], new byte[32 * 24]};
        for (byte[] plane : planes) {
            Arrays.fill(plane, (byte) value);
        }
        return planes;
    }

    private static FrameView even(int width, int height, int value) {
        byte[][] planes = {
            new byte[width * height],
            new byte[width / 2 * (height / 2)],
            new byte[width / 2 * (height / 2)]
        };
        for (byte[] plane : planes) {
            Arrays.fill(plane, (byte) value);
        }
        return new FrameView(width, height, /* ptsUs= */ 0, view(planes, width));
    }

    private static List<FrameView.Plane> view(byte[][] planes, int width) {
        return List.of(
                new FrameView.Plane(MemorySegment.ofArray(planes[0]), width),
                new FrameView.Plane(MemorySegment.ofArray(planes[1]), width / 2),
                new FrameView.Plane(MemorySegment.ofArray(planes[2]), width / 2));
    }
}
