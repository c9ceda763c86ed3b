package touchline.media.rendition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.media.rendition.RenditionSettings.Rendition;

final class LadderTest {
    @ParameterizedTest
    @CsvSource({
        "1920, 1080, 854x480 640x360",
        "1280, 720, 854x480 640x360",
        "1278, 718, 640x360",
        "1024, 576, 640x360",
        "854, 480, 640x360",
        "852, 478, ''",
        "320, 240, ''",
        "720, 1280, 480x854 360x640",
        "1080, 1080, 480x480 360x360",
        "1440, 1080, 640x480 480x360",
    })
    void auto_ofASource_hasTheSizesBelow(int width, int height, String sizes) {
        Ladder ladder = Ladder.of(RenditionSettings.AUTO, new Ladder.Source(width, height, 30));

        assertEquals(sizes, sizes(ladder));
        assertEquals(List.of(), ladder.leftOut());
    }

    @Test
    void list_isSortedAndKeepsWhatIsBelowTheSource() {
        RenditionSettings wanted =
                new RenditionSettings(
                        false,
                        List.of(
                                Rendition.of(240),
                                Rendition.of(720),
                                new Rendition(480, 1_000_000, 25),
                                Rendition.of(1080)));

        Ladder ladder = Ladder.of(wanted, new Ladder.Source(1280, 720, 50));

        assertEquals("854x480 426x240", sizes(ladder));
        assertEquals(List.of(720, 1080), ladder.leftOut());
        assertEquals(1_000_000, ladder.renditions().getFirst().bitrateBps());
        assertEquals(25, ladder.renditions().getFirst().frameRate());
        assertEquals("480p", ladder.renditions().getFirst().name());
        assertEquals(0, ladder.renditions().getLast().frameRate());
    }

    @Test
    void frameRate_notBelowTheSource_isTheSource() {
        RenditionSettings wanted = new RenditionSettings(false, List.of(new Rendition(360, 0, 30)));

        assertEquals(0, frameRate(wanted, 30));
        assertEquals(0, frameRate(wanted, 25));
        assertEquals(30, frameRate(wanted, 60));
        assertEquals(30, frameRate(wanted, 0));
    }

    @Test
    void sides_areEven() {
        for (int height = 146; height <= 1080; height += 2) {
            for (Rendition each : List.of(Rendition.of(144))) {
                Ladder ladder =
                        Ladder.of(
                                new RenditionSettings(false, List.of(each)),
                                new Ladder.Source(height * 16 / 9, height, 25));
                RenditionFormat format = ladder.renditions().getFirst();
                assertTrue(format.width() % 2 == 0 && format.height() == 144, format::toString);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1280, 720, 30, 3000000",
        "1280, 720, 50, 4500000",
        "854, 480, 30, 1500000",
        "640, 360, 25, 900000",
        "426, 240, 0, 450000",
        "256, 144, 30, 200000",
        "1920, 1080, 30, 6000000",
    })
    void defaultBitrate_followsTheFrameSize(int width, int height, double rate, int bps) {
        assertEquals(bps, Ladder.defaultBitrateBps(width, height, rate));
    }

    private static double frameRate(RenditionSettings wanted, double sourceRate) {
        return Ladder.of(wanted, new Ladder.Source(1280, 720, sourceRate))
                .renditions()
                .getFirst()
                .frameRate();
    }

    private static String sizes(Ladder ladder) {
        return ladder.renditions().stream()
                .map(each -> each.width() + "x" + each.height())
                .collect(Collectors.joining(" "));
    }
}
