package touchline.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.media.ffmpeg.Colour;

final class BoxConverterTest {
    private static final Canvas CANVAS = new Canvas(64, 48, Colour.BT709);
    private static final CanvasBox BOX = new CanvasBox(10, 6, 21, 13);

    /** BT.709, video range: 16 + 219 * (0.2126 R + 0.7152 G + 0.0722 B) and so on. */
    private static final int[] RED = {63, 102, 240};

    private static final int[] GROUND = {90, 110, 150};

    @ParameterizedTest
    @ValueSource(ints = {0, 25, 50, 75, 100})
    void convert_redAtOpacity_mixesWithTheGround(int opacityPercent) {
        Ground ground = new Ground(CANVAS, GROUND);
        BoxConverter converter = new BoxConverter(CANVAS, BOX, opacityPercent);

        ground.blend(convert(converter, Rgba.filled(BOX, 255, 0, 0, 255)));

        double alpha = opacityPercent / 100.0;
        for (int plane = 0; plane < 3; plane++) {
            double wanted = RED[plane] * alpha + GROUND[plane] * (1 - alpha);
            assertEquals(wanted, ground.sample(plane, 20, 12), 1.01, "plane " + plane);
            assertEquals(GROUND[plane], ground.sample(plane, 5, 5));
        }
    }

    @Test
    void convert_halfTransparentRed_isNotMultipliedTwice() {
        Ground ground = new Ground(CANVAS, new int[] {16, 128, 128});

        // rgba(255, 0, 0, 0.5), premultiplied.
        ground.blend(convert(new BoxConverter(CANVAS, BOX, 100), Rgba.filled(BOX, 128, 0, 0, 128)));

        assertEquals(16 + (RED[0] - 16) * 0.502, ground.sample(0, 20, 12), 1.01);
        assertEquals(128 + (RED[2] - 128) * 0.502, ground.sample(2, 20, 12), 1.01);
    }

    @ParameterizedTest
    @CsvSource({"10, 6", "11, 6", "10, 7", "11, 7", "0, 0", "43, 35"})
    void convert_anyPlace_coversItsPixelsExactly(int x, int y) {
        CanvasBox box = new CanvasBox(x, y, 21, 13);
        Ground ground = new Ground(CANVAS, GROUND);

        ground.blend(convert(new BoxConverter(CANVAS, box, 100), Rgba.filled(box, 255, 0, 0, 255)));

        for (int row = 0; row < CANVAS.height(); row++) {
            for (int column = 0; column < CANVAS.width(); column++) {
                boolean inside = column >= x && column < x + 21 && row >= y && row < y + 13;
                assertEquals(
                        inside ? RED[0] : GROUND[0],
                        ground.sample(0, column, row),
                        column + ", " + row);
            }
        }
        assertEquals(RED[2], ground.sample(2, x + 10, y + 6));
    }

    @Test
    void convert_oddPlace_mixesTheChromaThatIsShared() {
        CanvasBox box = new CanvasBox(11, 6, 20, 12);
        Ground ground = new Ground(CANVAS, GROUND);

        ground.blend(convert(new BoxConverter(CANVAS, box, 100), Rgba.filled(box, 255, 0, 0, 255)));

        // Two of the four pixels of this chroma sample are red.
        assertEquals((RED[2] + GROUND[2]) / 2.0, ground.sample(2, 10, 8), 1.01);
    }

    @ParameterizedTest
    @CsvSource({"-10, -6", "60, 44", "-21, 0", "64, 48", "0, -13"})
    void convert_beyondTheEdges_isCut(int x, int y) {
        CanvasBox box = new CanvasBox(x, y, 21, 13);
        Ground ground = new Ground(CANVAS, GROUND);

        ground.blend(convert(new BoxConverter(CANVAS, box, 100), Rgba.filled(box, 255, 0, 0, 255)));

        int red = 0;
        for (int row = 0; row < CANVAS.height(); row++) {
            for (int column = 0; column < CANVAS.width(); column++) {
                red += ground.sample(0, column, row) == RED[0] ? 1 : 0;
            }
        }
        int columns = Math.max(0, Math.min(64, x + 21) - Math.max(0, x));
        int rows = Math.max(0, Math.min(48, y + 13) - Math.max(0, y));
        assertEquals(columns * rows, red);
    }

    @Test
    void convert_smallMatrixBelow720_isBt601() {
        Canvas canvas = new Canvas(64, 48, Colour.UNSPECIFIED.orUsual(48));
        Ground ground = new Ground(canvas, GROUND);

        ground.blend(convert(new BoxConverter(canvas, BOX, 100), Rgba.filled(BOX, 255, 0, 0, 255)));

        // BT.601: 16 + 219 * 0.299.
        assertEquals(81, ground.sample(0, 20, 12), 1);
    }

    @Test
    void convert_fullRange_usesAllOfIt() {
        Canvas canvas = new Canvas(64, 48, Colour.JPEG);
        Ground ground = new Ground(canvas, new int[] {255, 128, 128});

        ground.blend(
                convert(new BoxConverter(canvas, BOX, 50), Rgba.filled(BOX, 255, 255, 255, 255)));

        assertEquals(255, ground.sample(0, 20, 12));
        assertEquals(128, ground.sample(1, 20, 12));
    }

    @Test
    void convert_clearPixels_isEmpty() {
        BoxFrame frame = convert(new BoxConverter(CANVAS, BOX, 100), Rgba.filled(BOX, 0, 0, 0, 0));

        assertTrue(frame.isEmpty());
    }

    @Test
    void convert_fewRowsChanged_sharesTheRest() {
        BoxConverter converter = new BoxConverter(CANVAS, BOX, 100);
        Rgba pixels = Rgba.filled(BOX, 0, 255, 0, 255);
        BoxFrame first = converter.convert(pixels.pixels(), 0, BOX.height());
        pixels.fillRow(4, 255, 0, 0, 255);

        BoxFrame second = converter.convert(pixels.pixels(), 4, 1);

        // Canvas row 10 is the upper one of pair 5, the box begins with pair 3.
        for (int i = 0; i < first.pairs().length; i++) {
            if (i == 2) {
                assertNotSame(first.pairs()[i], second.pairs()[i]);
            } else {
                assertSame(first.pairs()[i], second.pairs()[i], "pair " + i);
            }
        }
        Ground ground = new Ground(CANVAS, GROUND);
        ground.blend(second);
        assertEquals(RED[0], ground.sample(0, 20, 10));
    }

    @Test
    void blend_gapsAndEdges_changeNothingElse() {
        CanvasBox box = new CanvasBox(0, 0, 64, 48);
        Rgba pixels = Rgba.filled(box, 0, 0, 0, 0);
        pixels.set(3, 10, 255, 0, 0, 255);
        pixels.set(8, 10, 64, 0, 0, 64);
        for (int x = 30; x < 60; x++) {
            pixels.set(x, 10, 255, 0, 0, 255);
        }
        Ground ground = new Ground(CANVAS, GROUND);

        ground.blend(convert(new BoxConverter(CANVAS, box, 100), pixels));

        for (int x = 0; x < 64; x++) {
            int wanted = x == 3 || (x >= 30 && x < 60) ? RED[0] : GROUND[0];
            if (x != 8) {
                assertEquals(wanted, ground.sample(0, x, 10), "column " + x);
            }
        }
        assertEquals(GROUND[0] + (RED[0] - GROUND[0]) * 64 / 255.0, ground.sample(0, 8, 10), 1);
    }

    @Test
    void div255_allSums_isExact() {
        for (int value = 0; value < 65_535; value++) {
            assertEquals(value / 255, BlendRow.div255(value));
        }
    }

    private static BoxFrame convert(BoxConverter converter, Rgba pixels) {
        return converter.convert(pixels.pixels(), 0, converter.box().height());
    }
}
