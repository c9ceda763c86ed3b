package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All pages of the console with real content: at two sizes, by axe, and their lists. */
class ConsolePagesIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    @TempDir private static Path folder;

    private static TestServer server;
    private static TestBrowser browser;
    private static Encoder encoder;
    private static String live;
    private static String webhook;

    @BeforeAll
    static void start() throws Exception {
        server = TestServer.start(folder);
        browser = TestBrowser.start();
        JsonNode stream =
                server.createStream(
                        "{\"title\":\"Cup final\",\"latency_mode\":\"low\",\"record\":true}");
        live = stream.path("id").asText();
        for (int i = 1; i <= 30; i++) {
            server.createStream("{\"title\":\"Training " + i + "\",\"policy\":\"signed\"}");
        }
        server.call("PUT", "/live/v1/live-streams/" + newest() + "/disable", "", 200);
        server.call("POST", "/live/v1/signing-keys", "", 200);
        server.call(
                "POST",
                "/system/v1/access-tokens",
                "{\"name\":\"scoreboard operator\",\"expires_at\":4102444800,\"scopes\":[\"live:read\","
                        + "\"live:write\",\"assets:read\",\"assets:write\",\"system\"]}",
                200);
        webhook =
                server.call(
                                "POST",
                                "/system/v1/webhooks",
                                "{\"url\":\"https://receiver.invalid/events\",\"events\":[\"*\"]}",
                                200)
                        .at("/data/id")
                        .asText();
        encoder = Encoder.live(server.push(stream.path("stream_key").asText()));
        TestServer.await("the recording", SOON, () -> !asset().isEmpty());
    }

    private static String newest() throws Exception {
        return server.call("GET", "/live/v1/live-streams?limit=1", "", 200)
                .at("/data/0/id")
                .asText();
    }

    private static String asset() {
        try {
            return server.stream(live).at("/recent_asset_ids/0").asText();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @AfterAll
    static void stop() throws Exception {
        encoder.close();
        browser.close();
        server.close();
    }

    @BeforeEach
    void signOut() throws Exception {
        browser.signOut(server);
    }

    @Test
    void everyPage_atBothSizes_isReadableAndFits() throws Exception {
        browser.signIn(server);
        List<String> findings = new ArrayList<>();
        for (int width : List.of(390, 1280)) {
            browser.viewport(width, 860);
            browser.colourScheme(width == 390 ? "light" : "dark");
            for (String route : routes()) {
                check(route, width, findings);
            }
            browser.evaluate("location.hash = '#/tokens'");
            browser.click("#create-token");
            look("create-token", width, findings);
            browser.click("dialog[open] button.quiet");
            browser.click("#keys");
            look("key-sheet", width, findings);
            browser.click("dialog[open] button.quiet");
        }
        browser.open(server.playback(playback()).toString());
        browser.await("document.getElementById('player')?.dataset.says === 'playing'", SOON);
        for (int width : List.of(390, 1280)) {
            browser.viewport(width, 860);
            look("watch-page", width, findings);
        }

        assertEquals("", String.join("\n", findings));
    }

    @Test
    void pageOfNodes_isNotLinked_whereTheServerIsAlone() throws Exception {
        browser.signIn(server);
        browser.evaluate("location.hash = '#/host'");
        browser.await("document.querySelector('h1')?.textContent === 'Host'", SOON);

        // Both links wait for the same answer.
        assertTrue(
                browser.evaluate(
                                "import('/js/cluster.js').then(async ({ showInCluster }) => {"
                                        + " const link = document.createElement('a');"
                                        + " await showInCluster(link); return link.hidden; })")
                        .asBoolean());
        for (String link : List.of("#nodes-link", "main a[href=\"#/nodes\"]")) {
            assertTrue(
                    browser.evaluate("document.querySelector('" + link + "').hidden").asBoolean());
        }
    }

    /**
     * Levels of 0.3, 0.5 and 2.8 Mbit/s, parts of 82 KB and 0.25 s. The third of nine parts of a
     * segment has been loaded, or the first half of it.
     */
    @ParameterizedTest(name = "{0} s for {3} of 82 KB of 0.25 s, {1} s buffered: level {2}")
    @CsvSource({
        "0.9, 1.5, 1, 82000",
        "0.9, 0.7, 0, 82000",
        "1.1, 1.5, 0, 82000",
        "5, 0.9, 0, 82000",
        "0.9, 7, -1, 82000",
        "0.35, 0.2, -1, 82000",
        "0.6, 1.9, 0, 41000",
        "0.6, 10, -1, 41000",
        "0.1, 0.9, -1, 41000",
        "5, 0.1, -1, 0"
    })
    void slowPart_endsItsSegment_ifTheRestTakesLongerThanTheBufferLasts(
            double seconds, double bufferedS, int level, int loaded) throws Exception {
        String script =
                """
                import('/js/slow-part.js').then(({ leaveSlowParts }) => new Promise((done) => {
                  // Time stands still, however busy the host is.
                  const now = performance.now();
                  performance.now = () => now;
                  const resolve = (level) => { delete performance.now; done(level); };
                  const fragment = { sn: 7, type: 'main', level: 2, start: 8, abortRequests: () => resolve(hls.nextLoadLevel) };
                  const partList = Array.from({ length: 9 }, (_, index) => ({ index, fragment, start: 8 + index / 4, duration: 0.25 }));
                  const isLoaded = BYTES === 82_000;
                  const first = now - 1000 * SECONDS;
                  const loading = { start: first - 50, first, end: isLoaded ? first + 1000 * SECONDS : 0 };
                  const part = partList[2];
                  part.stats = { aborted: false, loaded: BYTES, total: 82_000, loading };
                  partList[3].stats = { aborted: true };
                  const handlers = {};
                  const hls = {
                    autoLevelEnabled: true, minAutoLevel: 0, nextLoadLevel: -1,
                    mainForwardBufferInfo: { len: BUFFERED },
                    levels: [300_000, 500_000, 2_800_000].map((maxBitrate) => ({ maxBitrate, details: { partList } })),
                    on: (event, handler) => { handlers[event] = handler; },
                  };
                  leaveSlowParts(hls, { Events: { FRAG_LOADING: 'loading', FRAG_LOADED: 'loaded', DESTROYING: 'destroying' } });
                  handlers[isLoaded ? 'loaded' : 'loading']('', { frag: fragment, part });
                  // Two looks at a part on its way later.
                  setTimeout(() => { handlers.destroying(); resolve(-1); }, 120);
                }))
                """;
        browser.signIn(server);
        assertEquals(
                level,
                browser.evaluate(
                                script.replace("SECONDS", String.valueOf(seconds))
                                        .replace("BUFFERED", String.valueOf(bufferedS))
                                        .replace("BYTES", String.valueOf(loaded)))
                        .asInt());
    }

    private static String playback() throws Exception {
        return server.stream(live).at("/playback_ids/0/id").asText();
    }

    private static List<String> routes() {
        String stream = "streams/" + live;
        return List.of(
                stream,
                "control-room",
                "alerts",
                "streams",
                stream + "/scoreboard",
                "sessions",
                "review",
                "assets",
                "assets/" + asset(),
                "moderation",
                "moderation/" + live,
                "keys",
                "tokens",
                "transcoding",
                "events",
                "certificate",
                "webhooks/" + webhook,
                "nodes",
                "host");
    }

    private static void check(String route, int width, List<String> findings) throws Exception {
        browser.evaluate("document.querySelector('h1').dataset.left = 'yes'");
        browser.evaluate("location.hash = '#/" + route + "'");
        browser.await(
                "document.querySelector('h1') && !document.querySelector('h1').dataset.left", SOON);
        look(route, width, findings);
    }

    private static void look(String route, int width, List<String> findings) throws Exception {
        browser.findings().forEach(found -> findings.add(route + " at " + width + ": " + found));
        browser.save(
                "page-"
                        + width
                        + "-"
                        + route.replaceAll("/[a-z]+_\\w+", "-one").replace('/', '-')
                        + ".png");
    }

    @Test
    void streamList_showsLiveStreamsFirst_andFindsByTextAndStatus() throws Exception {
        browser.signIn(server);
        browser.await("document.querySelectorAll('tbody tr').length === 25", SOON);
        assertEquals("Cup final", browser.text("tbody tr .name"));

        type("training 7");
        browser.await("document.querySelectorAll('tbody tr').length === 1", SOON);
        assertEquals("Training 7", browser.text("tbody tr .name"));
        type("nothing like it");
        browser.await(
                "document.querySelector('main').innerText.includes('Nothing matches.')", SOON);
        type("");
        browser.evaluate(
                "document.querySelector('[name=status]').value = 'disable';"
                        + "document.querySelector('[name=status]').dispatchEvent(new Event('change'))");
        browser.await(
                "document.querySelectorAll('tbody tr').length === 1"
                        + " && document.querySelector('tbody .badge.disable')",
                SOON);
    }

    @Test
    void playlistFault_whileLive_isNoError_andPlaybackGoesOn() throws Exception {
        browser.signIn(server);
        browser.evaluate(
                """
                import('/vendor/hls.min.mjs').then(({ default: Hls }) => {
                  const trigger = Hls.prototype.trigger;
                  Hls.prototype.trigger = function (...event) {
                    window.hls = this;
                    return trigger.apply(this, event);
                  };
                })""");
        browser.evaluate("location.hash = '#/streams/" + live + "'");
        browser.await("window.hls && document.querySelector('video')?.currentTime > 0", SOON);

        browser.evaluate(
                """
                window.first = window.hls;
                window.first.trigger('hlsError', {
                  type: 'networkError', details: 'levelParsingError', fatal: true,
                  error: new Error('#EXT-X-VERSION must not appear more than once'),
                });
                window.shown = document.querySelector('.veil').textContent;""");

        assertEquals(
                "Waiting for the encoder …Playback continues when new media arrives.",
                browser.evaluate("window.shown").asText());
        browser.await(
                "window.hls !== window.first && document.querySelector('.veil').hidden", SOON);
    }

    @Test
    void standby_isCutByAHeldButton_andBack() throws Exception {
        browser.signIn(server);
        browser.evaluate("location.hash = '#/streams/" + live + "'");
        browser.await("document.querySelector('[name=standby_mode]')?.value === 'none'", SOON);
        assertTrue(browser.evaluate("!document.querySelector('#standby-on')").asBoolean());
        browser.evaluate(
                """
                document.querySelector('[name=standby_mode]').value = 'slate';
                document.querySelector('[name=standby_mode]').form.requestSubmit();""");
        browser.await("document.querySelector('#standby-on')", SOON);

        hold("#standby-on");
        browser.await(
                "document.querySelector('#standby-state').textContent.includes('an operator')",
                SOON);
        hold("#standby-off");
        browser.await(
                "document.querySelector('#standby-state').textContent.includes('the encoder')",
                SOON);
    }

    private static void hold(String selector) throws Exception {
        browser.await("document.querySelector('" + selector + "')", SOON);
        browser.evaluate(
                "document.querySelector('"
                        + selector
                        + "').dispatchEvent(new PointerEvent('pointerdown')); null");
    }

    private static void type(String text) throws Exception {
        browser.fill("[name=search]", text);
        browser.evaluate(
                "document.querySelector('[name=search]').dispatchEvent(new Event('input'))");
    }

    @Test
    void page_withoutItsScope_namesIt() throws Exception {
        browser.signIn(server, server.mint("few", "assets:read"));
        browser.awaitMissing("live:read");
        browser.await("document.querySelector('.notice code')", SOON);

        browser.evaluate("location.hash = '#/assets'");
        browser.await("document.querySelector('h1')?.textContent === 'Assets'", SOON);
    }

    /** The page of README.md is open before the broadcast. */
    @Test
    void pageOfTheReadme_startsWhenTheStreamDoes() throws Exception {
        JsonNode stream = server.createStream("{\"reconnect_window\":0}");
        String address =
                server.playback(stream.at("/playback_ids/0/id").asText() + ".m3u8").toString();
        browser.open(server.api("/").toString());
        browser.await("document.querySelector('#token')", SOON);
        browser.evaluate("document.body.innerHTML = '<video id=\"video\" muted autoplay></video>'");
        browser.evaluate(
                "import('/vendor/hls.min.mjs').then((all) => { window.Hls = all.default; })");
        browser.evaluate(
                "window.seen = 0; new PerformanceObserver((list) => { window.seen +="
                        + " list.getEntries().filter((e) => e.name.endsWith('.m3u8')).length; })"
                        + ".observe({ type: 'resource' })");
        browser.evaluate(script().replaceFirst("http://\\S+m3u8", address) + "; null");
        browser.await("window.seen > 0", SOON);

        try (Encoder started = Encoder.live(server.push(stream.path("stream_key").asText()))) {
            browser.await("document.querySelector('video').currentTime > 1", SOON);
            assertTrue(started.isRunning(), started::output);
        }
    }

    private static String script() throws IOException {
        Path here = Path.of("").toAbsolutePath();
        Path readme = here.resolve("README.md");
        String text =
                Files.readString(Files.exists(readme) ? readme : here.resolveSibling("README.md"));
        Matcher script = Pattern.compile("<script>\n(.*?)</script>", Pattern.DOTALL).matcher(text);
        assertTrue(script.find(), "a script in README.md");
        return script.group(1);
    }
}
