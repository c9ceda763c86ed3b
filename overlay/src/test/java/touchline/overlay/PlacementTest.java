package touchline.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.overlay.Placement.Axis;

final class PlacementTest {
    @Test
    void pageBox_nothingGiven_fillsTheCanvas() {
        assertEquals(new CanvasBox(0, 0, 1280, 720), Placement.DEFAULT.pageBox(1280, 720));
    }

    @ParameterizedTest
    @CsvSource({
        "left,   top,    0, 0,     0,   0",
        "left,   middle, 0, 0,     0, 288",
        "left,   center, 0, 0,     0, 288",
        "left,   bottom, 0, 0,     0, 576",
        "center, top,    0, 0,   320,   0",
        "center, center, 0, 0,   320, 288",
        "center, bottom, 0, 0,   320, 576",
        "right,  top,    0, 0,   640,   0",
        "right,  middle, 0, 0,   640, 288",
        "right,  bottom, 0, 0,   640, 576",
        "left,   top,    5, 10,   64,  72",
        "right,  bottom, 5, 10,  576, 504",
        "center, middle, 5, 10,  384, 360",
        "left,   bottom, 2.5, 1,  32, 569",
        "right,  top,    100, 0, -640, 0",
    })
    void pageBox_halfByAFifth_standsAtItsPlace(
            String horizontal, String vertical, String across, String down, int x, int y) {
        Placement placement =
                new Placement(
                        axis("50%", horizontal, across + "%"),
                        axis("20%", vertical, down + "%"),
                        100);

        assertEquals(new CanvasBox(x, y, 640, 144), placement.pageBox(1280, 720));
    }

    @ParameterizedTest
    @CsvSource({
        "25%,   '',   320, 180",
        "'',    25%,  320, 180",
        "33.3%, 10%,  426,  72",
        "100%,  100%, 1280, 720",
        "0.01%, '',     1,   1",
    })
    void pageBox_oneSideGiven_keepsTheCanvasShape(
            String width, String height, int boxWidth, int boxHeight) {
        Placement placement =
                new Placement(axis(width, "left", "0%"), axis(height, "top", "0%"), 100);

        assertEquals(new CanvasBox(0, 0, boxWidth, boxHeight), placement.pageBox(1280, 720));
    }

    @ParameterizedTest
    @CsvSource({
        // Landscape 4:3, portrait, and the canvas' aspect ratio.
        "'',  '',   640, 480,   320, 240",
        "50%, '',   640, 480,   640, 480",
        "'',  50%,  640, 480,   480, 360",
        "'',  '',  1080, 1920,  320, 569",
        "'',  100%, 1080, 1920, 405, 720",
        "10%, 10%, 1080, 1920,  128,  72",
    })
    void videoBox_sideMissing_keepsTheVideosShape(
            String width, String height, int videoWidth, int videoHeight, int w, int h) {
        Placement placement =
                new Placement(axis(width, "left", "0%"), axis(height, "top", "0%"), 100);

        assertEquals(
                new CanvasBox(0, 0, w, h), placement.videoBox(1280, 720, videoWidth, videoHeight));
    }

    @Test
    void videoBox_bottomRightWithMargin_endsThere() {
        Placement placement =
                new Placement(axis("25%", "right", "5%"), axis("", "bottom", "5%"), 80);

        CanvasBox box = placement.videoBox(1920, 1080, 16, 9);

        assertEquals(new CanvasBox(1344, 756, 480, 270), box);
        assertEquals(1920 - 96, box.x() + box.width());
        assertEquals(1080 - 54, box.y() + box.height());
    }

    @Test
    void axis_absentTexts_areTheDefaults() {
        assertEquals(
                Axis.DEFAULT, Axis.parse(Optional.empty(), Optional.empty(), Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"25", "%", "abc%", "101%", "-1%", "NaN%"})
    void axis_badPercentage_isRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> axis(text, "left", "0%"));
    }

    @Test
    void axis_unknownAlignment_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> axis("1%", "upwards", "0%"));
    }

    @Test
    void opacity_outOfRange_isRefused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> new Placement(Axis.DEFAULT, Axis.DEFAULT, 100.5));
    }

    private static Axis axis(String size, String align, String margin) {
        return Axis.parse(
                Optional.of(size).filter(text -> !text.isEmpty()),
                Optional.of(align),
                Optional.of(margin));
    }
}
