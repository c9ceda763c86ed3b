package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Assets in the console: thumbnails, a player, and a clip cut from what was recorded. */
class AssetConsoleIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String ASSETS = "/video-streams/v1/assets";

    /** Twenty seconds in 2.5 s, so that markers fit; the first ones are black. */
    private static final String MATCH =
            "ffmpeg -v error -readrate 8 -f lavfi -i testsrc2=size=640x360:rate=25"
                    + " -readrate 8 -f lavfi -i sine=sample_rate=48000 -t 20 -vf fade=t=in:st=1.5:d=0.5 -c:v libx264"
                    + " -preset ultrafast -bf 2 -g 50 -sc_threshold 0 -pix_fmt yuv420p -c:a aac -f"
                    + " flv ";

    private static final String PLAYS =
            "document.querySelector('video')?.currentTime > 0.5"
                    + " && document.querySelector('video').readyState > 2"
                    + " && document.querySelector('.veil').hidden";

    private static final String FRAME =
            "[...document.querySelectorAll('tr .thumbnail img')].some(i => i.naturalWidth > 0)";

    @TempDir private Path folder;

    @Test
    void operator_opensAnAsset_cutsAClip_opensThat_andDeletesIt() throws Exception {
        try (TestServer server = TestServer.start(folder);
                TestBrowser browser = TestBrowser.start()) {
            recorded(server);
            browser.signIn(server);
            browser.evaluate("location.hash = '#/assets'");
            browser.await(FRAME, SOON);
            browser.save("assets.png");
            browser.click("tr .name");
            browser.await(PLAYS, SOON);
            browser.await("document.querySelector('.editor .strip img')?.naturalWidth > 0", SOON);

            type(browser, "start_time", "0:02.500");
            type(browser, "end_time", "6.75");
            shown(browser, "in", 2.5);
            browser.await(value("end_time") + " === '0:06.750'", SOON);
            byKeys(browser);
            browser.colourScheme("dark");
            browser.save("clip-editor-dark.png");
            browser.colourScheme("light");
            browser.save("clip-editor-light.png");

            reels(server, browser);
            browser.click("#create-clip");
            browser.await(
                    "document.querySelectorAll('.clips [data-status=ready] .button').length === 3",
                    SOON);
            browser.await("document.querySelector('.clips img')?.naturalWidth > 0", SOON);
            browser.save("clip-made.png");
            browser.click(".clips li:first-child .button");
            browser.await(
                    "document.querySelector('.facts')?.textContent.includes('Clip of')", SOON);
            browser.await(PLAYS, SOON);
            browser.save("clip.png");
            JsonNode clip = server.call("GET", ASSETS, "", 200).path("data").path(0);
            assertEquals(4.25, clip.path("duration").asDouble(), 0.05, clip::toString);

            browser.evaluate("location.hash = '#/assets'");
            browser.await("document.querySelectorAll('tbody tr').length === 4", SOON);
            browser.click("tbody tr button.danger");
            browser.click("dialog[open] button[value=yes]");
            browser.await("document.querySelectorAll('tbody tr').length === 3", SOON);
            assertEquals(3, server.call("GET", ASSETS, "", 200).path("total").asInt());
            browser.assertNoPolicyReports();
        }
    }

    /** One of collected ranges, in another order, and one of all goals; the goals' plays. */
    private static void reels(TestServer server, TestBrowser browser) throws Exception {
        browser.click("#add-range");
        type(browser, "start_time", "1");
        type(browser, "end_time", "2");
        browser.click("#add-range");
        browser.await("document.querySelectorAll('.ranges li').length === 2", SOON);
        browser.click(".ranges li:last-child [aria-label^='Move up']");
        browser.await("document.querySelector('.ranges li').dataset.range === '1000-2000'", SOON);
        browser.await(
                "document.querySelector('.reel .length output').textContent === '0:05.250'", SOON);
        browser.click(".ranges li:last-child button.grow");
        browser.await(value("start_time") + " === '0:02.500'", SOON);
        browser.await(value("end_time") + " === '0:06.750'", SOON);
        browser.click("#create-reel");
        reelIs(server, browser, 1, 5.25, 2);
        JsonNode ranges = server.call("GET", ASSETS, "", 200).path("data").path(0).path("ranges");
        assertEquals(1, ranges.path(0).path("start_time").asDouble());
        assertEquals(6.75, ranges.path(1).path("end_time").asDouble());

        browser.await("document.querySelector('.reel .goals').hidden === false", SOON);
        fill(browser, "seconds_before", "0.3");
        fill(browser, "seconds_after", "0.4");
        browser.save("reel.png");
        browser.click("#reel-of-goals");
        // Goals at 0.5, 1 and 2 s: the first two are one range.
        reelIs(server, browser, 2, 1.2 + 0.7, 2);
    }

    private static void fill(TestBrowser browser, String name, String text) throws Exception {
        browser.evaluate(
                "document.querySelector('.reel [name=" + name + "]').value = '" + text + "'");
    }

    private static void reelIs(
            TestServer server, TestBrowser browser, int made, double seconds, int ranges)
            throws Exception {
        browser.await(
                "document.querySelectorAll('.clips [data-status=ready] .button').length === "
                        + made,
                SOON);
        JsonNode reel = server.call("GET", ASSETS, "", 200).path("data").path(0);
        assertEquals(seconds, reel.path("duration").asDouble(), 0.09, reel::toString);
        assertEquals(ranges, reel.path("ranges").size(), reel::toString);
    }

    private static void recorded(TestServer server) throws Exception {
        JsonNode stream =
                server.createStream(
                        "{\"record\": true, \"reconnect_window\": 0, \"title\": \"Cup <final>\"}");
        String push = server.push(stream.path("stream_key").asText());
        try (Encoder encoder = Encoder.run((MATCH + push).split(" "))) {
            assertEquals(0, encoder.await(SOON), encoder::output);
        }
        TestServer.await(
                "a finished asset",
                SOON,
                () -> {
                    try {
                        JsonNode asset = server.call("GET", ASSETS, "", 200).path("data").path(0);
                        return asset.path("status").asText().equals("ready")
                                && !asset.path("is_live").asBoolean();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                });
        String sessions = "/live/v1/live-streams/" + stream.path("id").asText() + "/sessions";
        String session = server.call("GET", sessions, "", 200).at("/data/0/id").asText();
        for (String time : new String[] {"2", "0.5", "1"}) {
            server.call(
                    "POST",
                    "/live/v1/sessions/" + session + "/markers",
                    "{\"label\": \"Goal\", \"kind\": \"score\", \"time\": " + time + "}",
                    200);
        }
    }

    private static void type(TestBrowser browser, String name, String text) throws Exception {
        String input = "document.querySelector('.editor [name=" + name + "]')";
        browser.evaluate(input + ".value = '" + text + "'");
        browser.evaluate(input + ".dispatchEvent(new Event('change'))");
    }

    private static String value(String name) {
        return "document.querySelector('.editor [name=" + name + "]').value";
    }

    /** The player stands at an end, and its frame is taken from there. */
    private static void shown(TestBrowser browser, String which, double seconds) throws Exception {
        String video = "document.querySelector('video')";
        type(browser, which.equals("in") ? "start_time" : "end_time", String.valueOf(seconds));
        browser.await(
                video
                        + ".paused && !"
                        + video
                        + ".seeking && Math.abs("
                        + video
                        + ".currentTime - "
                        + seconds
                        + ") < 0.2",
                SOON);
        int index = which.equals("in") ? 0 : 1;
        browser.await("!document.querySelectorAll('.preview canvas')[" + index + "].hidden", SOON);
    }

    /** Back and forth leads to where it was; I and O take the player's time. */
    private static void byKeys(TestBrowser browser) throws Exception {
        press(browser, ".handle.out", "ArrowRight", true);
        browser.await(value("end_time") + " === '0:07.750'", SOON);
        press(browser, ".handle.out", "ArrowLeft", true);
        press(browser, ".handle.in", "ArrowRight", false);
        browser.await(value("start_time") + " === '0:02.540'", SOON);
        press(browser, ".handle.in", "ArrowRight", true);
        // The player follows a handle when that has come to rest.
        browser.await("Math.abs(document.querySelector('video').currentTime - 3.54) < 0.2", SOON);
        browser.evaluate("document.querySelector('video').currentTime = 10");
        browser.await("!document.querySelector('video').seeking", SOON);
        press(browser, ".player", "o", false);
        // The player and the asset have one clock.
        browser.await(value("end_time") + " === '0:10.000'", SOON);
        type(browser, "end_time", "6.75");
        shown(browser, "in", 2.5);
        assertTrue(browser.evaluate(value("end_time") + " === '0:06.750'").asBoolean());
    }

    private static void press(TestBrowser browser, String on, String key, boolean shift)
            throws Exception {
        browser.evaluate(
                "document.querySelector('%s').dispatchEvent(new KeyboardEvent('keydown', {key: '%s', shiftKey: %s, bubbles: true, cancelable: true}))"
                        .formatted(on, key, shift));
    }

    @Test
    void signedAsset_thatGrows_isShownWithAKey() throws Exception {
        try (TestServer server = TestServer.start(folder);
                TestBrowser browser = TestBrowser.start()) {
            JsonNode stream = server.createStream("{\"record\": true, \"policy\": \"signed\"}");
            JsonNode key = server.call("POST", SignedStream.KEYS, "", 200).path("data");
            browser.signIn(server);
            try (Encoder encoder = Encoder.live(server.push(stream.path("stream_key").asText()))) {
                browser.evaluate("location.hash = '#/assets'");
                browser.await("document.querySelector('tr .badge.ready')", SOON);
                browser.await("document.querySelector('tr .badge.active')", SOON);
                browser.await(
                        "document.querySelector('tr .thumbnail').textContent === 'signed'", SOON);
                browser.click("tr .name");
                browser.await(
                        "document.querySelector('#unlock')?.closest('[hidden]') === null", SOON);
                browser.save("asset-locked.png");
                unlock(browser, "1", "x");
                browser.await(
                        "document.querySelector('#unlock .field-error').textContent !== ''", SOON);
                unlock(browser, key.path("id").asText(), key.path("private_key").asText());
                browser.await(PLAYS, SOON);
                browser.await(
                        "document.querySelector('.editor .strip img')?.naturalWidth > 0", SOON);
                browser.save("asset-growing.png");
                browser.evaluate("location.hash = '#/assets'");
                browser.await(FRAME, SOON);
                assertTrue(encoder.isRunning(), encoder::output);
            }
            browser.assertNoPolicyReports();
        }
    }

    private static void unlock(TestBrowser browser, String keyId, String privateKey)
            throws Exception {
        browser.fill("#unlock [name=key_id]", keyId);
        browser.fill("#unlock [name=private_key]", privateKey);
        browser.evaluate("document.querySelector('#unlock').requestSubmit()");
    }
}
