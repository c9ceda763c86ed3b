package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console in a real browser: sign in, create, watch, disable. */
class ConsoleIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    /** The frame moves and nothing lies over it. */
    private static final String PLAYS =
            "document.querySelector('video')?.currentTime > 0.5"
                    + " && document.querySelector('video').readyState > 2"
                    + " && document.querySelector('.veil').hidden";

    @TempDir private Path folder;

    @Test
    void operator_signsIn_createsAStream_watchesIt_andDisablesIt() throws Exception {
        try (TestServer server =
                        TestServer.start(folder, Map.of("TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8"));
                RestreamTarget target = new RestreamTarget();
                TestBrowser browser = TestBrowser.start()) {
            browser.signIn(server);
            createStream(browser);
            browser.save("idle.png");
            JsonNode stream =
                    server.call("GET", "/live/v1/live-streams", "", 200).path("data").path(0);
            assertEquals("Cup final <b>", stream.path("title").asText());

            try (Encoder encoder = Encoder.live(server.push(stream.path("stream_key").asText()))) {
                browser.await("document.querySelector('.badge.active')", SOON);
                browser.await("document.querySelector('video')?.currentTime > 0.5", SOON);
                double start = currentTime(browser);
                browser.evaluate("document.querySelector('[name=signal_watch]').click()");
                browser.evaluate(
                        "document.querySelector('[name=signal_watch]').form.requestSubmit()");
                browser.await(
                        "document.querySelector('.meter .fill')?.style.width > '0%'"
                                + " && document.querySelector('[aria-label=Signal]').innerText"
                                + ".includes('LUFS')",
                        SOON);
                browser.await("document.querySelector('video').currentTime > " + (start + 3), SOON);
                browser.colourScheme("dark");
                browser.save("live-dark.png");
                browser.colourScheme("light");
                browser.save("live-light.png");
                assertTrue(encoder.isRunning(), encoder::output);
                addRestream(browser, target);

                browser.press("Disable");
                browser.await("document.querySelector('dialog[open]')", SOON);
                browser.evaluate("document.querySelector('dialog[open] [value=no]').click()");
                browser.await("!document.querySelector('dialog[open]')", SOON);
                assertTrue(encoder.isRunning(), encoder::output);
                browser.press("Disable");
                browser.press("Disable stream");
                browser.await("document.querySelector('.badge.disable')", SOON);
                TestServer.await("encoder was cut", SOON, () -> !encoder.isRunning());
            }
            browser.assertNoPolicyReports();
        }
    }

    /** Its state changes without a reload. */
    private static void addRestream(TestBrowser browser, RestreamTarget target) throws Exception {
        browser.evaluate(
                """
                const form = document.getElementById('add-restream');
                form.closest('details').open = true;
                form.restream_name.value = 'Other';
                form.restream_url.value = '%s';
                form.restream_key.value = '%s';
                form.requestSubmit();
                """
                        .formatted(target.url(), RestreamTarget.KEY));
        browser.await("document.querySelector('.restreams .badge.active')", SOON);
        browser.save("restream.png");
        browser.evaluate("document.querySelector('.restreams button.quiet').click()");
        browser.await(
                "document.querySelector('.restreams .badge').textContent === 'Disabled'", SOON);
        TestServer.await("the target's end", SOON, () -> target.ended.get() > 0);
    }

    @Test
    void viewer_ofALowLatencyStream_staysNearLive_andComesBackToIt() throws Exception {
        try (TestServer server = TestServer.start(folder);
                TestBrowser browser = TestBrowser.start()) {
            JsonNode stream = server.createStream("{\"latency_mode\":\"low\"}");
            String push = server.push(stream.path("stream_key").asText());
            browser.signIn(server);
            browser.evaluate("location.hash = '#/streams/" + stream.path("id").asText() + "'");
            try (Encoder encoder = Encoder.live(push)) {
                browser.await(PLAYS, SOON);
                browser.await(
                        figure("edge")
                                + " < 3 && "
                                + figure("latency")
                                + " > 0.2 && "
                                + figure("latency")
                                + " < 4",
                        SOON);
                browser.save("low-latency.png");

                browser.evaluate("document.querySelector('video').pause()");
                browser.await("!document.querySelector('.go-live').hidden", SOON);
                browser.save("behind-live.png");
                browser.evaluate("document.querySelector('.go-live').click()");
                browser.await(
                        figure("edge") + " < 3 && document.querySelector('.go-live').hidden", SOON);
                assertTrue(encoder.isRunning(), encoder::output);
            }
            browser.await("document.querySelector('.badge.away')", SOON);
            browser.await("document.querySelector('#encoder-away')", SOON);
            browser.save("encoder-away.png");
            String session =
                    server.stream(stream.path("id").asText()).path("active_session_id").asText();
            server.restart();
            assertEquals(
                    session,
                    server.stream(stream.path("id").asText()).path("active_session_id").asText());
            try (Encoder encoder = Encoder.live(push)) {
                browser.await(
                        figure("edge") + " < 3 && document.querySelector('.badge.active')", SOON);
                browser.await(PLAYS, SOON);
                assertTrue(encoder.isRunning(), encoder::output);
                browser.press("End session");
                browser.await("document.querySelector('dialog[open] .danger')", SOON);
                browser.evaluate("document.querySelector('dialog[open] .danger').click()");
                browser.await(
                        "!document.querySelector('.veil').hidden"
                                + " && document.querySelector('.veil').textContent.startsWith('Not live')",
                        SOON);
                browser.save("ended.png");
            }
        }
    }

    @Test
    void pageWhoseAnswerComesLate_isNotDrawnOverTheNext() throws Exception {
        try (TestServer server = TestServer.start(folder);
                TestBrowser browser = TestBrowser.start()) {
            browser.signIn(server);
            browser.evaluate("location.hash = '#/keys'");
            browser.await("document.querySelector('#sign-link')", SOON);
            browser.evaluate(
                    """
                    (() => {
                      window.late = [];
                      const fetched = window.fetch;
                      window.fetch = (...request) => location.hash !== '#/streams'
                        ? fetched(...request)
                        : new Promise((answer) => window.late.push(() => answer(fetched(...request))));
                    })()""");

            browser.evaluate("location.hash = '#/streams'");
            browser.await("late.length > 0", SOON);
            browser.evaluate("location.hash = '#/assets'");
            browser.await("document.querySelector('h1').textContent === 'Assets'", SOON);
            browser.evaluate("late.forEach(answer => answer())");
            // What is asked for now comes behind the late answers.
            for (int asked = 0; asked < 3; asked++) {
                browser.evaluate("fetch('/').then(reply => reply.text()).then(() => null)");
            }

            assertEquals(
                    "Assets",
                    browser.evaluate("document.querySelector('h1').textContent").asText());
        }
    }

    @Test
    void wrongToken_isSaidSo_andNothingIsKept() throws Exception {
        try (TestServer server = TestServer.start(folder);
                TestBrowser browser = TestBrowser.start()) {
            browser.open(server.api("/").toString());
            browser.await("document.querySelector('#token')", SOON);
            browser.fill("#token", "admin.wrong");
            browser.evaluate("document.querySelector('form').requestSubmit()");
            browser.await("document.querySelector('#token-error').textContent !== ''", SOON);
            assertTrue(browser.evaluate("sessionStorage.getItem('touchline.token')").isNull());
        }
    }

    private static void createStream(TestBrowser browser) throws Exception {
        browser.click(".empty:not([hidden]) button");
        browser.await("document.querySelector('dialog[open] input[name=title]')", SOON);
        browser.fill("dialog input[name=title]", "Cup final <b>");
        browser.evaluate("document.querySelector('dialog form').requestSubmit()");
        browser.await(
                "location.hash.startsWith('#/streams/') && document.querySelector('.copy output')",
                SOON);
        assertEquals(
                "Cup final <b>",
                browser.evaluate("document.querySelector('h1').textContent").asText());
    }

    /** The number in the line below the frame. */
    private static String figure(String name) {
        return "parseFloat(document.querySelector('[data-figure=" + name + "]').textContent)";
    }

    private static double figureOf(TestBrowser browser, String name) throws Exception {
        return browser.evaluate(figure(name)).asDouble();
    }

    private static String figures(TestBrowser browser) {
        try {
            return browser.evaluate("document.querySelector('.figures').textContent").asText();
        } catch (Exception e) {
            return e.toString();
        }
    }

    private static double currentTime(TestBrowser browser) throws Exception {
        return browser.evaluate("document.querySelector('video').currentTime").asDouble();
    }
}
