package touchline.packager.thumbnail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ThumbnailSizeTest {
    @ParameterizedTest
    @CsvSource({
        "1920, 1080, 1, 640, 640, 360",
        "1280, 720, 1, 320, 320, 180",
        // never larger than it was
        "320, 180, 1, 640, 320, 180",
        "16, 16, 1, 640, 16, 16",
        // the largest that is decoded
        "4096, 2160, 1, 640, 640, 338",
        "4096, 2160, 1, 1920, 1920, 1012",
        // upright: the longer side is bounded
        "1080, 1920, 1, 640, 640, 1138",
        "16, 4096, 1, 1920, 8, 1920",
        "4096, 16, 1, 16, 16, 2",
        // odd sides
        "641, 481, 1, 1920, 640, 480",
        // samples that are not square: PAL as 16:9 and 4:3, and upright ones
        "720, 576, 1.4222, 1920, 1024, 576",
        "720, 576, 1.0667, 640, 640, 480",
        "1280, 720, 0.5, 1920, 640, 720"
    })
    void of_anyFrame_keepsItsAspect(
            int width, int height, double aspect, int maxWidth, int shownWidth, int shownHeight) {
        assertEquals(
                new ThumbnailSize(shownWidth, shownHeight),
                ThumbnailSize.of(width, height, aspect, maxWidth));
    }

    @Test
    void of_everySize_isEvenAndBounded() {
        for (int width = 2; width <= 8192; width += 133) {
            for (int height = 2; height <= 8192; height += 91) {
                ThumbnailSize size = ThumbnailSize.of(width, height, 1, 640);
                assertTrue(size.width() >= 2 && size.width() <= 640, size.toString());
                assertTrue(size.height() >= 2 && size.height() <= 1920, size.toString());
                assertEquals(0, (size.width() | size.height()) & 1, size.toString());
            }
        }
    }
}
