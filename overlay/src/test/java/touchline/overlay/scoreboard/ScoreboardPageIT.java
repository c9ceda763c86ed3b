package touchline.overlay.scoreboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import touchline.config.OverlayConfig;
import touchline.config.PageLimits;
import touchline.media.net.AddressRules;
import touchline.overlay.page.ChromiumRenderer;
import touchline.overlay.page.PageFrame;
import touchline.overlay.page.PageListener;
import touchline.overlay.page.PageRequest;
import touchline.overlay.page.RenderedPage;

/** The bundled page in a real browser; its frames are saved for inspection. */
class ScoreboardPageIT {
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");
    private static final int BAR = 0x131f2b;
    private static final int GRASS = 0x2f6b35;

    private final BlockingQueue<BufferedImage> frames = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> failures = new LinkedBlockingQueue<>();

    private final PageListener listener =
            new PageListener() {
                @Override
                public void loaded() {}

                @Override
                public void failed(String reason, long silentNs) {
                    failures.add(reason);
                }

                @Override
                public void recovered() {}

                @Override
                public void frame(PageFrame frame) {
                    frames.add(overGrass(frame));
                }
            };

    @Test
    void page_showsTheFeed_andABannerAtAGoal() throws Exception {
        FakeScoreboards boards = new FakeScoreboards(FakeScoreboards.board("#00a000", 1, false));
        OverlayConfig config =
                new OverlayConfig(
                        Optional.empty(),
                        /* allowNoSandbox= */ true,
                        "nobody",
                        0,
                        new PageLimits(512L << 20, 1000, 256L << 20, 64));
        PageRequest request =
                new PageRequest("stream-7", ScoreboardSite.URL, 640, 150, Duration.ofSeconds(20));
        try (ChromiumRenderer renderer =
                        new ChromiumRenderer(
                                config,
                                AddressRules.allowing(List.of()),
                                Map.of(ScoreboardSite.HOST, new ScoreboardSite(boards)));
                RenderedPage _ = renderer.open(request, listener)) {
            BufferedImage plain = await(each -> near(each, 120, 36, 0x00a000));
            // The logo stands beside the stripe: the bar shows through it, and its black is black.
            BufferedImage logo = await(each -> near(each, 139, 36, 0xffd000));
            assertTrue(near(logo, 150, 36, BAR));
            assertTrue(near(logo, 162, 36, 0));
            // Nothing is below the bar.
            assertTrue(near(plain, 300, 110, GRASS));
            save(plain, "scoreboard.png");

            boards.show(FakeScoreboards.board("#c82020", 2, true));
            await(each -> near(each, 120, 36, 0xc82020));
            save(await(each -> !near(each, 600, 138, GRASS)), "scoreboard-begin.png");
            save(steady(), "scoreboard-goal.png");
            // The banner disappears by itself.
            await(each -> near(each, 600, 138, GRASS));
        }
        assertEquals(List.of("stream-7"), boards.streams());
        assertTrue(failures.isEmpty(), failures::toString);
    }

    /** The banner in full colour: the middle of its life. */
    private BufferedImage steady() throws InterruptedException {
        return await(each -> near(each, 628, 138, 0xb81d1d));
    }

    private BufferedImage await(Predicate<BufferedImage> wanted) throws InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (System.nanoTime() < deadlineNs) {
            BufferedImage next = frames.poll(1, TimeUnit.SECONDS);
            if (next != null && wanted.test(next)) {
                return next;
            }
        }
        throw new AssertionError("no such frame; failures: " + failures);
    }

    private static boolean near(BufferedImage frame, int x, int y, int rgb) {
        int seen = frame.getRGB(x, y);
        for (int shift = 0; shift <= 16; shift += 8) {
            if (Math.abs((seen >> shift & 0xff) - (rgb >> shift & 0xff)) > 16) {
                return false;
            }
        }
        return true;
    }

    private static BufferedImage overGrass(PageFrame frame) {
        BufferedImage image =
                new BufferedImage(
                        frame.widthPixels(), frame.heightPixels(), BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                long at = (long) y * frame.strideBytes() + 4L * x;
                int alpha = Byte.toUnsignedInt(frame.pixels().get(ValueLayout.JAVA_BYTE, at + 3));
                int rgb = 0;
                for (int i = 0; i < 3; i++) {
                    int colour =
                            Byte.toUnsignedInt(frame.pixels().get(ValueLayout.JAVA_BYTE, at + i));
                    int ground = GRASS >> (16 - 8 * i) & 0xff;
                    rgb = rgb << 8 | Math.min(255, colour + ground * (255 - alpha) / 255);
                }
                image.setRGB(x, y, rgb);
            }
        }
        return image;
    }

    private static void save(BufferedImage frame, String name) throws IOException {
        Files.createDirectories(SCREENSHOTS);
        ImageIO.write(frame, "png", SCREENSHOTS.resolve(name).toFile());
    }
}
