package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The control room in a real browser: the wall, the alerts, health and what is shared. */
class ControlRoomIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    private static final String TILES = "document.querySelectorAll('.tile').length";

    /** The number of alerts about the two streams of the wall. */
    private static final String ALERTS =
            "[...document.querySelectorAll('.alert .sub')]"
                    + ".filter((each) => /^(Cup final|Junior cup)/.test(each.textContent)).length";

    /** Notes the tones that begin, and notifications, which no one sees here. */
    private static final String LISTEN =
            """
            window.tones = [];
            window.shown = [];
            window.Notification = class extends EventTarget {
              static permission = 'default';
              static async requestPermission() {
                return Notification.permission = 'granted';
              }
              constructor(title) {
                super();
                window.shown.push(title);
              }
            };
            const start = OscillatorNode.prototype.start;
            OscillatorNode.prototype.start = function (...at) {
              window.tones.push(Date.now());
              return start.apply(this, at);
            };
            null""";

    /** A GOP of ten seconds, which the ingest doctor advises against. */
    private static final List<String> LONG_GOP =
            List.of(
                    "-f",
                    "lavfi",
                    "-i",
                    "testsrc2=size=320x180:rate=25",
                    "-t",
                    "60",
                    "-c:v",
                    "libx264",
                    "-preset",
                    "ultrafast",
                    "-bf",
                    "0",
                    "-g",
                    "250",
                    "-sc_threshold",
                    "0",
                    "-pix_fmt",
                    "yuv420p");

    @TempDir private static Path folder;

    private static TestServer server;
    private static TestBrowser browser;
    private static JsonNode cup;
    private static JsonNode junior;

    @BeforeAll
    static void start() throws Exception {
        server = TestServer.start(folder);
        browser = TestBrowser.start();
        cup =
                server.createStream(
                        "{\"title\":\"Cup final\",\"latency_mode\":\"low\",\"signal_watch\":true}");
        junior = server.createStream("{\"title\":\"Junior cup\",\"latency_mode\":\"low\"}");
        server.createStream("{\"title\":\"Training\"}");
    }

    @AfterAll
    static void stop() throws Exception {
        browser.close();
        server.close();
    }

    @BeforeEach
    void signOut() throws Exception {
        browser.signOut(server);
        browser.open(server.api("/").toString());
        browser.evaluate("localStorage.clear()");
        browser.open("about:blank");
    }

    @Test
    void wall_followsItsStreamsByEvents_andAlertsAreHeard() throws Exception {
        browser.signIn(server);
        browser.evaluate(LISTEN);
        browser.evaluate("location.hash = '#/control-room'");
        browser.await("document.querySelector('.room .empty')?.hidden === false", SOON);
        browser.await("document.querySelector('.alerts-head .badge.active')", SOON);

        try (Encoder first = push(cup)) {
            Encoder second = push(junior);
            try {
                browser.await(TILES + " === 2", SOON);
                assertEquals("Cup final", browser.text(".tile-title"));
                browser.await(state(cup) + " === 'live'", SOON);
                browser.await(
                        "[...document.querySelectorAll('.tile-frame > img')]"
                                + ".every((each) => each.naturalWidth > 0)",
                        SOON);
                browser.await(
                        "document.querySelector('.tile-meters:not([hidden]) .tile-level')"
                                + "?.style.transform.startsWith('scaleY(0.')",
                        SOON);
                browser.viewport(1440, 900);
                browser.save("control-room-1440.png");

                browser.click("#alert-sound");
                browser.await(
                        "document.querySelector('#alert-sound').textContent === 'Turn sound off'",
                        SOON);
                browser.await("window.tones.length > 0", SOON);
                browser.click("#alert-desktop");
                browser.await(
                        "document.querySelector('#alert-desktop').getAttribute('aria-pressed') ==="
                                + " 'true'",
                        SOON);
                // The advice that low latency wants no B-frames, for each.
                browser.await(ALERTS + " === 2", SOON);
                browser.press("Acknowledge all");
                browser.await("document.querySelector('#alert-count').hidden", SOON);
                browser.evaluate("window.tones.length = window.shown.length = 0");

                second.kill();
                browser.await("window.tones.length > 0", SOON);
                assertEquals(
                        "Encoder away – Junior cup",
                        browser.evaluate("window.shown.join()").asText());
                browser.await(state(junior) + " === 'away'", SOON);
                assertEquals("(1) Control room – Touchline", title());
                assertEquals("1", browser.text("#alert-count"));
                assertEquals("Encoder away", browser.text(".alert .name"));
                assertTrue(browser.text(".alert .sub").startsWith("Junior cup"));
                browser.save("control-room-alert.png");
                assertEquals(List.of(), browser.findings());

                browser.press("Acknowledge");
                browser.await("document.title === 'Control room – Touchline'", SOON);
                second.close();
                second = push(junior);
                browser.await(state(junior) + " === 'live'", SOON);
                browser.await(
                        "document.querySelector('.alert .sub').textContent.includes('over at')",
                        SOON);

                walk();
                play();
                mute(second);
                assertTrue(first.isRunning(), first::output);
            } finally {
                second.close();
            }
            server.call("PUT", path(junior) + "/complete", "", 200);
            browser.await(state(junior) + " === 'offline'", SOON);
        }
        browser.assertNoPolicyReports();
    }

    private static Encoder push(JsonNode stream) throws IOException {
        return Encoder.live(server.push(stream.path("stream_key").asText()));
    }

    private static String path(JsonNode stream) {
        return "/live/v1/live-streams/" + stream.path("id").asText();
    }

    private static String title() throws InterruptedException {
        return browser.evaluate("document.title").asText();
    }

    private static String tile(JsonNode stream) {
        return "document.querySelector('.tile[data-stream=\""
                + stream.path("id").asText()
                + "\"]')";
    }

    private static String state(JsonNode stream) {
        return tile(stream) + "?.dataset.state";
    }

    private static void key(String key) throws InterruptedException {
        browser.evaluate(
                "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: '%s', bubbles: true, cancelable: true}))"
                        .formatted(key));
    }

    /** One tile is in the order of the keyboard; arrows, Home and End move it. */
    private static void walk() throws Exception {
        browser.evaluate("document.querySelector('.tile-button[tabindex=\"0\"]').focus()");
        key("Home");
        String focused = "document.activeElement.closest('.tile') === ";
        assertTrue(browser.evaluate(focused + tile(cup)).asBoolean());
        key("ArrowRight");
        assertTrue(browser.evaluate(focused + tile(junior)).asBoolean());
        assertEquals(
                1,
                browser.evaluate("document.querySelectorAll('.tile-button[tabindex=\"0\"]').length")
                        .asInt());
        key("ArrowRight");
        assertTrue(browser.evaluate(focused + tile(junior)).asBoolean());
        key("Home");
        key("?");
        browser.await(
                "document.querySelector('.key-sheet .here')?.textContent.startsWith('Wall')", SOON);
        assertEquals(List.of(), browser.findings());
        browser.save("control-room-keys.png");
        browser.click("dialog[open] button[value=no]");
    }

    /** Audio of one stream at a time, with thumbnails and with players. */
    private static void play() throws Exception {
        String video = tile(cup) + ".querySelector('video')";
        String pressed = tile(cup) + ".querySelector('button').getAttribute('aria-pressed')";
        browser.evaluate(tile(cup) + ".querySelector('button').click()");
        browser.await(video + "?.currentTime > 0 && !" + video + ".muted", SOON);
        assertEquals("true", browser.evaluate(pressed).asText());
        browser.evaluate(tile(junior) + ".querySelector('button').click()");
        assertEquals("false", browser.evaluate(pressed).asText());
        browser.await(tile(junior) + ".querySelector('video')?.currentTime > 0 && !" + video, SOON);
        browser.evaluate(tile(junior) + ".querySelector('button').focus()");
        key("Escape");
        browser.await("!document.querySelector('.tile video')", SOON);

        browser.click("[name=wall-mode][value=players]");
        browser.await(
                "document.querySelectorAll('.tile video').length === 2"
                        + " && [...document.querySelectorAll('.tile video')]"
                        + ".every((each) => each.currentTime > 0 && each.muted)",
                SOON);
        browser.save("control-room-players.png");
        browser.click("[name=wall-mode][value=frames]");
        browser.await("!document.querySelector('.tile video')", SOON);
    }

    /** A muted kind of a stream is listed, and neither heard nor counted. */
    private static void mute(Encoder encoder) throws Exception {
        int before = browser.evaluate(ALERTS).asInt();
        encoder.kill();
        browser.await(ALERTS + " === " + (before + 1), SOON);
        browser.evaluate(
                """
                const mute = document.querySelector('.alert select');
                mute.value = '0';
                mute.dispatchEvent(new Event('change'));
                window.tones.length = 0;""");
        browser.await("document.querySelector('#alert-count').hidden", SOON);
        browser.await(
                "document.querySelector('.muted-box li')?.textContent.includes('Encoder: Junior cup')",
                SOON);
        browser.await(state(junior) + " === 'away'", SOON);
        try (Encoder again = push(junior)) {
            browser.await(state(junior) + " === 'live'", SOON);
            again.kill();
            browser.await(ALERTS + " === " + (before + 2), SOON);
        }
        assertEquals(0, browser.evaluate("window.tones.length").asInt());
        assertTrue(browser.evaluate("document.querySelector('#alert-count').hidden").asBoolean());
        browser.viewport(390, 860);
        browser.save("control-room-390.png");
        assertEquals(List.of(), browser.findings());
        browser.viewport(1280, 860);
    }

    @Test
    void tokenWithoutSystem_seesTheWall_andTheScopeThatAlertsNeed() throws Exception {
        JsonNode stream = server.createStream("{\"reconnect_window\":0}");
        try (Encoder _ = push(stream)) {
            browser.signIn(server, server.mint("wall", "live:read"));
            browser.evaluate("location.hash = '#/control-room'");
            browser.await(state(stream) + " === 'live'", SOON);
            browser.awaitMissing("system");
            key("p");
            browser.await("location.hash === '#/streams/" + stream.path("id").asText() + "'", SOON);
        }
    }

    @Test
    void streamPage_hasTheLastHourWithItsAdvice_andWhatIsShared() throws Exception {
        JsonNode stream =
                server.createStream("{\"title\":\"Regional league\",\"reconnect_window\":0}");
        String push = server.push(stream.path("stream_key").asText());
        Path media = EncodedInputs.get("flv", LONG_GOP);
        String command =
                "ffmpeg -v info -re -stream_loop -1 -i " + media + " -c copy -f flv " + push;
        try (Encoder encoder = Encoder.run(command.split(" ", -1))) {
            browser.signIn(server);
            browser.evaluate("location.hash = '#/streams/" + stream.path("id").asText() + "'");
            browser.await(
                    "document.querySelector('.health-line')?.getAttribute('d').includes('L')",
                    SOON);
            browser.await("document.querySelector('.health-pin')", SOON);
            browser.click(".health-pin");
            assertTrue(
                    browser.text(".health-advice").contains("key frame"),
                    browser.text(".health-advice"));
            JsonNode health = server.call("GET", path(stream) + "/health", "", 200).path("data");
            assertEquals(25, health.path("samples").path(1).path("frame_rate").asDouble(25), 3);
            assertEquals("key_frame_interval", health.at("/warnings/0/code").asText());

            String address = server.playback(stream.at("/playback_ids/0/id").asText()).toString();
            String share = "document.querySelector('[aria-label=Share]')";
            assertTrue(
                    browser.evaluate(share + ".innerText.includes('" + address + "/embed')")
                            .asBoolean());
            assertTrue(
                    browser.evaluate(
                                    share
                                            + ".querySelectorAll('.qr path')[0].getAttribute('d').length > 1000")
                            .asBoolean());
            assertEquals(
                    "false",
                    browser.evaluate(
                                    share
                                            + ".innerText.includes('"
                                            + stream.path("stream_key").asText()
                                            + "')")
                            .asText());
            assertTrue(encoder.isRunning(), encoder::output);
            for (int width : List.of(390, 1440)) {
                browser.viewport(width, 2600);
                browser.save("stream-health-" + width + ".png");
                assertEquals(List.of(), browser.findings());
            }
        }
        browser.assertNoPolicyReports();
    }
}
