package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bundled scoreboard from the operator's hand to the frame that viewers see. */
class BundledScoreboardIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    /** In the stripe of the home team's colour, where the page stands in 640x150. */
    private static final int STRIPE_X = 120;

    private static final int STRIPE_Y = 36;
    private static final int CLOSE_ENOUGH = 45;

    /** A moment of each sport, with a home colour of its own. */
    private static final Map<String, String> SPORTS =
            new TreeMap<>(
                    Map.of(
                            "football",
                            "{\"home\":{\"name\":\"Riverside\",\"color\":\"#00b0b0\",\"score\":2,"
                                    + "\"counters\":{\"red_cards\":1}},\"period_number\":2,"
                                    + "\"clock\":{\"elapsed_ms\":3723000}}",
                            "basketball",
                            "{\"home\":{\"color\":\"#b06000\",\"score\":58,\"counters\":{\"fouls\":5}},"
                                    + "\"away\":{\"score\":61,\"counters\":{\"timeouts\":2}},"
                                    + "\"period_number\":3,\"clock\":{\"elapsed_ms\":583400}}",
                            "handball",
                            "{\"home\":{\"color\":\"#7000b0\",\"score\":21},\"away\":{\"score\":19,"
                                    + "\"counters\":{\"timeouts\":1}},\"period_number\":2,"
                                    + "\"clock\":{\"elapsed_ms\":2400000}}",
                            "volleyball",
                            "{\"home\":{\"color\":\"#b0b000\",\"score\":1,\"counters\":{\"timeouts\":1}},"
                                    + "\"sets\":[{\"home\":25,\"away\":21},{\"home\":11,\"away\":14}],"
                                    + "\"serving\":\"away\"}",
                            "tennis",
                            "{\"home\":{\"name\":\"A. Lee\",\"color\":\"#0060ff\",\"score\":1},"
                                    + "\"away\":{\"name\":\"M. Kimura\"},"
                                    + "\"sets\":[{\"home\":6,\"away\":4},{\"home\":2,\"away\":3}],"
                                    + "\"serving\":\"home\"}",
                            "ice_hockey",
                            "{\"home\":{\"color\":\"#ff00a0\",\"score\":3},\"period_number\":2,"
                                    + "\"clock\":{\"elapsed_ms\":300000}}",
                            "generic",
                            "{\"home\":{\"color\":\"#60ff60\",\"score\":7},\"period\":\"Final\"}"));

    @TempDir private Path folder;

    @Test
    void bundledPage_isInTheFrame_andFollowsWhatTheOperatorSets() throws Exception {
        try (TestServer server = TestServer.start(folder)) {
            JsonNode stream =
                    server.createStream(
                            """
                            {"generate_watermark": {"type": "html",
                             "url": "http://scoreboard.touchline.internal/",
                             "overlay_settings": {"width": "100%", "height": "41.667%"}}}
                            """);
            String id = stream.path("id").asText();
            String board = "/live/v1/live-streams/" + id + "/scoreboard";
            server.call("PUT", board, "{\"home\":{\"color\":\"#00c800\"}}", 200);
            try (Encoder encoder = Encoder.live(server.push(stream.path("stream_key").asText()))) {
                awaitStripe(server, id, 0x00c800, encoder);

                server.call("PUT", board, "{\"home\":{\"color\":\"#c80000\"}}", 200);
                awaitStripe(server, id, 0xc80000, encoder);
                server.call("POST", board + "/goals", "{\"team\":\"home\",\"scorer\":\"9\"}", 200);
                // The banner has the scoring team's colour, below the bar.
                awaitColour(server, id, 600, 140, 0xb80000, encoder);
                for (String sport : SPORTS.keySet()) {
                    server.call("PUT", board, "{\"sport\":\"" + sport + "\"}", 200);
                    server.call("PUT", board, SPORTS.get(sport), 200);
                    awaitColour(
                            server,
                            id,
                            sport.equals("volleyball") || sport.equals("tennis") ? 8 : STRIPE_X,
                            STRIPE_Y,
                            Integer.parseInt(
                                    SPORTS.get(sport).replaceFirst(".*#(\\w{6}).*", "$1"), 16),
                            encoder);
                }
                assertTrue(encoder.isRunning(), encoder::output);
            }
        }
    }

    @Test
    void operator_showsThePage_placesIt_andDrivesTheScore() throws Exception {
        try (TestServer server = TestServer.start(folder);
                TestBrowser browser = TestBrowser.start()) {
            JsonNode stream = server.createStream("{\"title\":\"Cup final\"}");
            String id = stream.path("id").asText();
            browser.signIn(server);
            browser.evaluate("location.hash = '#/streams/" + id + "/scoreboard'");
            browser.await("document.querySelector('.placement')", SOON);
            browser.press("Use the bundled scoreboard");
            browser.evaluate(
                    "document.querySelector('[name=horizontal_align]').value = 'right';"
                            + "document.querySelector('[name=horizontal_align]')"
                            + ".dispatchEvent(new Event('change'))");
            browser.press("Show this page");
            TestServer.await("the page is set", SOON, () -> !watermark(server, id).isMissingNode());

            JsonNode settings = watermark(server, id).path("overlay_settings");
            assertEquals("right", settings.path("horizontal_align").asText());
            assertEquals("50%", settings.path("width").asText());

            // In one step: the console writes what the server says into fields without the focus.
            browser.evaluate(
                    "document.querySelector('[name=home-name]').value = 'Riverside';"
                            + "document.querySelector('[name=home-name]')"
                            + ".dispatchEvent(new Event('change'))");
            browser.click("[data-side=home][data-step='1']");
            browser.press("Start clock");
            TestServer.await(
                    "a goal",
                    SOON,
                    () -> scoreboard(server, id).path("home").path("score").asInt() == 1);
            try (Encoder encoder = Encoder.live(server.push(stream.path("stream_key").asText()))) {
                browser.await(
                        "document.querySelector('video')?.currentTime > 6", Duration.ofMinutes(2));
                browser.await(
                        "document.querySelector('[name=opacity]').closest('fieldset').disabled",
                        SOON);
                browser.colourScheme("dark");
                browser.save("scoreboard-dark.png");
                browser.colourScheme("light");
                browser.save("scoreboard-light.png");
                browser.evaluate("document.querySelector('.desk').scrollIntoView()");
                browser.save("score-desk-light.png");
                assertTrue(encoder.isRunning(), encoder::output);
            }
            assertEquals("Riverside", scoreboard(server, id).path("home").path("name").asText());
            browser.assertNoPolicyReports();
        }
    }

    private static JsonNode watermark(TestServer server, String id) {
        try {
            return server.stream(id).path("generate_watermark");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static JsonNode scoreboard(TestServer server, String id) {
        try {
            return server.call("GET", "/live/v1/live-streams/" + id + "/scoreboard", "", 200)
                    .path("data")
                    .path("scoreboard");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void awaitStripe(TestServer server, String id, int rgb, Encoder encoder)
            throws InterruptedException {
        awaitColour(server, id, STRIPE_X, STRIPE_Y, rgb, encoder);
    }

    private static void awaitColour(
            TestServer server, String id, int x, int y, int rgb, Encoder encoder)
            throws InterruptedException {
        TestServer.awaitCostly(
                "%06x at (%d, %d)".formatted(rgb, x, y),
                SOON,
                () -> {
                    assertTrue(encoder.isRunning(), encoder::output);
                    return server.preview(id).filter(it -> near(it, x, y, rgb)).isPresent();
                });
    }

    private static boolean near(BufferedImage frame, int x, int y, int rgb) {
        int seen = frame.getRGB(x, y);
        for (int shift = 0; shift <= 16; shift += 8) {
            if (Math.abs((seen >> shift & 0xff) - (rgb >> shift & 0xff)) > CLOSE_ENOUGH) {
                return false;
            }
        }
        try {
            Path kept = Path.of("target", "screenshots");
            Files.createDirectories(kept);
            ImageIO.write(frame, "png", kept.resolve("program-%06x.png".formatted(rgb)).toFile());
            return true;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
