package touchline.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.media.PictureView;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.Picture;
import touchline.media.ffmpeg.PictureFormat;

final class VideoBoxTest {
    private static final Canvas CANVAS = new Canvas(64, 48, Colour.BT601);
    private static final int[] GROUND = {90, 110, 150};
    private static final int[] VIDEO = {200, 60, 30};

    @ParameterizedTest
    @CsvSource({
        "10, 6, 20, 12, 10, 6, 20, 12",
        "11, 7, 21, 13, 10, 6, 20, 12",
        "-6, -4, 20, 12, 0, 0, 14, 8",
        "50, 40, 20, 12, 50, 40, 14, 8",
    })
    void video_coversItsBoxAndNoMore(
            int x, int y, int width, int height, int left, int top, int columns, int rows) {
        Ground ground = new Ground(CANVAS, GROUND);

        ground.blend(box(new CanvasBox(x, y, width, height), 100));

        for (int row = 0; row < CANVAS.height(); row++) {
            for (int column = 0; column < CANVAS.width(); column++) {
                boolean inside =
                        column >= left && column < left + columns && row >= top && row < top + rows;
                for (int plane = 0; plane < 3; plane++) {
                    assertEquals(
                            inside ? VIDEO[plane] : GROUND[plane],
                            ground.sample(plane, column, row),
                            column + ", " + row);
                }
            }
        }
    }

    @Test
    void video_atHalfOpacity_mixes() {
        Ground ground = new Ground(CANVAS, GROUND);

        ground.blend(box(new CanvasBox(10, 6, 20, 12), 50));

        for (int plane = 0; plane < 3; plane++) {
            assertEquals((VIDEO[plane] + GROUND[plane]) / 2.0, ground.sample(plane, 20, 10), 1);
        }
    }

    @Test
    void video_atNoOpacity_isEmpty() {
        assertTrue(box(new CanvasBox(10, 6, 20, 12), 0).isEmpty());
    }

    @Test
    void picture_ofAnotherSize_isRefused() {
        VideoBox box = new VideoBox(CANVAS, new CanvasBox(0, 0, 20, 12));
        try (Picture picture = Picture.allocate(new PictureFormat(22, 12, Colour.BT601))) {
            assertThrows(IllegalArgumentException.class, () -> box.of(picture.view(), 100));
        }
    }

    private static BoxPicture box(CanvasBox place, double opacityPercent) {
        VideoBox box = new VideoBox(CANVAS, place);
        PictureFormat format = new PictureFormat(box.width(), box.height(), Colour.BT601);
        try (Picture picture = Picture.allocate(format)) {
            for (int plane = 0; plane < 3; plane++) {
                PictureView.Plane of = picture.planes().get(plane);
                of.samples().fill((byte) VIDEO[plane]);
            }
            return box.of(picture.view(), opacityPercent);
        }
    }
}
