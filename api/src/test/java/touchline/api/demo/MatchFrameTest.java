package touchline.api.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import touchline.api.programme.BitmapFont;
import touchline.media.FrameView;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.VideoFrame;

final class MatchFrameTest {
    private static final Instant WALL = Instant.parse("2026-11-20T14:07:09.083Z");

    private static MatchPainter painter;
    private static VideoFrame frame;

    @BeforeAll
    static void paintStadium() {
        painter = new MatchPainter("RIVERSIDE", "HARBOUR CITY", ZoneOffset.UTC);
        frame = VideoFrame.allocate(new FrameFormat(1280, 720, Colour.BT709));
    }

    @AfterAll
    static void closeFrame() {
        frame.close();
    }

    @Test
    void paint_clocks_areReadableByTheFont() {
        painter.paint(new MatchPlay(1), new MatchPainter.Clocks(12 * 60 + 34, WALL, 22_620));

        assertEquals("12:34", read(MatchPainter.MATCH_CLOCK, 5));
        assertEquals("14:07:09.083", read(MatchPainter.WALL_CLOCK, 12));
        assertEquals("F 0022620", read(MatchPainter.FRAME_COUNTER, 9));
    }

    @Test
    void paint_everyDigit_isReadBack() {
        MatchPlay play = new MatchPlay(1);
        for (int i = 0; i < 10; i++) {
            Instant wall =
                    Instant.parse("2026-11-20T0" + i + ":" + i % 6 + i + ":00.000Z")
                            .plusMillis(111L * i);
            painter.paint(play, new MatchPainter.Clocks(11L * i, wall, 1_111_111L * i));
            assertEquals("F " + String.valueOf(i).repeat(7), read(MatchPainter.FRAME_COUNTER, 9));
        }
    }

    @Test
    void paint_match_showsGrassLinesAndBothTeams() {
        MatchPlay play = new MatchPlay(1863);
        for (int i = 0; i < 300; i++) {
            play.step(1.0 / 30);
        }
        painter.paint(play, new MatchPainter.Clocks(10, WALL, 300));
        painter.copyTo(frame.view());
        int green = 0;
        int white = 0;
        int dark = 0;
        for (int y = 230; y < 640; y++) {
            for (int x = 0; x < MatchPainter.WIDTH; x++) {
                int luma = sample(0, x, y);
                green += luma > 80 && luma < 140 ? 1 : 0;
                white += luma > 190 ? 1 : 0;
                dark += luma < 70 ? 1 : 0;
            }
        }
        int all = 410 * MatchPainter.WIDTH;
        assertTrue(green > all * 8 / 10, "green: " + green);
        assertTrue(white > all / 200, "white: " + white);
        assertTrue(dark > 300, "dark: " + dark);
    }

    @Test
    void paint_scoreArea_isFreeOfPanels() {
        // Panels hold white text on a shaded ground; crowd and roof are all that may be here.
        List<Integer> area = MatchPainter.SCORE_AREA;
        List<BitmapFont.Place> texts =
                List.of(
                        MatchPainter.MATCH_CLOCK,
                        MatchPainter.WALL_CLOCK,
                        MatchPainter.FRAME_COUNTER);
        for (BitmapFont.Place text : texts) {
            assertTrue(text.x() > area.get(0) + area.get(2), "right of the score area");
        }
    }

    @Test
    void paint_whileABannerWalks_showsMoreThanFourPercentOfItsColour() throws IOException {
        MatchPlay play = new MatchPlay(1863);
        double most = 0;
        int framesAboveAlert = 0;
        for (int i = 0; i < 30 * 30; i += 10) {
            for (int frames = 0; frames < 10; frames++) {
                play.step(1.0 / 30);
            }
            painter.paint(play, new MatchPainter.Clocks(i / 30, WALL, i));
            painter.copyTo(frame.view());
            double share = DemoColours.cyanShare(frame.view());
            assertEquals(0, DemoColours.magentaShare(frame.view()));
            if (!Banner.isShown(play.seconds())) {
                assertEquals(0, share, "second " + play.seconds());
            }
            if (share > most) {
                most = share;
                save("banner.png");
            }
            framesAboveAlert += share > 0.02 ? 1 : 0;
        }
        assertTrue(most > 0.04, "share: " + most);
        // A sample every two seconds meets the banner.
        assertTrue(framesAboveAlert > 2 * 3, "frames: " + framesAboveAlert);
    }

    @Test
    void paint_secondBanner_isMagenta() {
        MatchPlay play = new MatchPlay(1863);
        while (play.seconds() < Banner.FIRST_SECONDS + Banner.PERIOD_SECONDS + 5) {
            play.step(1.0 / 30);
        }
        painter.paint(play, new MatchPainter.Clocks(80, WALL, 2_400));
        painter.copyTo(frame.view());

        assertTrue(DemoColours.magentaShare(frame.view()) > 0.01);
        assertEquals(0, DemoColours.cyanShare(frame.view()));
    }

    private static String read(BitmapFont.Place place, int letters) {
        painter.copyTo(frame.view());
        return ClockReader.read((x, y) -> sample(0, x, y), place, letters);
    }

    private static int sample(int plane, int x, int y) {
        FrameView.Plane samples = frame.planes().get(plane);
        long at = (long) y * samples.strideBytes() + x;
        return samples.samples().get(ValueLayout.JAVA_BYTE, at) & 0xFF;
    }

    private static void save(String name) throws IOException {
        String folder = System.getProperty("touchline.demo.frames");
        if (folder != null) {
            Files.write(Path.of(folder, name), frame.toPng());
        }
    }
}
