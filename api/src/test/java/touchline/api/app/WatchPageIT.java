package touchline.api.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.access.TokenForge;

/**
 * The watch page in a real browser: before, during and after a stream, as a recording, and embedded
 * in a page of another site.
 */
class WatchPageIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String SAYS = "document.getElementById('player').dataset.says";
    private static final String PLAYS = SAYS + " === 'playing'";

    @TempDir private static Path folder;

    private static HttpServer site;
    private static TestServer server;
    private static TestBrowser browser;

    @BeforeAll
    static void start() throws Exception {
        site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        site.createContext("/", WatchPageIT::frame);
        site.start();
        server =
                TestServer.start(
                        folder,
                        Map.of("TOUCHLINE_PLAYBACK_EMBED_ORIGINS", "http://127.0.0.1:" + port()));
        browser = TestBrowser.start();
    }

    @AfterAll
    static void stop() throws Exception {
        browser.close();
        server.close();
        site.stop(0);
    }

    private static int port() {
        return site.getAddress().getPort();
    }

    /** A page that embeds the address behind its question mark. */
    private static void frame(HttpExchange exchange) throws IOException {
        byte[] page =
                "<!doctype html><link rel=\"icon\" href=\"data:,\"><iframe src=\"%s\" allow=\"autoplay\"></iframe>"
                        .formatted(exchange.getRequestURI().getQuery())
                        .getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/html");
        exchange.sendResponseHeaders(200, page.length);
        try (exchange) {
            exchange.getResponseBody().write(page);
        }
    }

    private static String moves() {
        return "(window.before ??= document.querySelector('video').currentTime)"
                + " < document.querySelector('video').currentTime - 0.5";
    }

    @Test
    void page_fromBeforeTheStream_toItsRecording_needsNoReload() throws Exception {
        JsonNode stream =
                server.createStream(
                        """
                        {"title": "Rovers <3", "latency_mode": "low", "record": true,
                         "reconnect_window": 30}
                        """);
        String id = stream.path("id").asText();
        String push = server.push(stream.path("stream_key").asText());
        String playback = stream.at("/playback_ids/0/id").asText();
        browser.viewport(390, 844);
        browser.open(server.playback(playback).toString());
        browser.await(SAYS + " === 'idle'", SOON);
        assertEquals("Rovers <3", browser.evaluate("document.title").asText());
        browser.evaluate("window.sameDocument = true");

        String session;
        try (Encoder encoder = Encoder.captioned("HELLO", folder, push)) {
            browser.await(PLAYS, SOON);
            session = server.stream(id).path("active_session_id").asText();
            marker(session, "Kick-off", 0.5);
            encoder.kill();
        }
        try (Encoder again = Encoder.captioned("HELLO", folder, push)) {
            TestServer.await(
                    "the encoder's return; " + again.output(),
                    SOON,
                    () -> connected(id) && server.status(id).equals("active"));
            browser.await(PLAYS + " && " + moves(), SOON);
            browser.await("document.querySelector('.marks span')?.title === 'Kick-off'", SOON);
            seekTo("1");
            browser.await(
                    "document.querySelector('.live').textContent === 'Go live' && " + PLAYS, SOON);
            browser.save("watch-dvr.png");
            browser.click(".live");
            browser.await("document.querySelector('.live.edge') && " + PLAYS, SOON);
            captions();
            again.kill();
        }
        server.call("PUT", "/live/v1/live-streams/" + id + "/complete", "", 200);
        browser.await(SAYS + " === 'ended'", SOON);
        assertEquals("true", browser.evaluate("window.sameDocument === true").asText());
        browser.save("watch-ended.png");

        TestServer.await("the asset is ready", SOON, () -> !ready(id).isEmpty());
        browser.viewport(1440, 900);
        browser.open(server.playback(ready(id) + "/embed").toString());
        browser.await(PLAYS + " && " + moves(), SOON);
        browser.await("document.querySelector('.marks span')", SOON);
        seekTo("0.5");
        browser.await("document.querySelector('.time').textContent.startsWith('0:0')", SOON);
        browser.save("watch-asset.png");
        browser.assertNoPolicyReports();
        assertEquals(
                "0",
                browser.evaluate(
                                "performance.getEntriesByType('resource')"
                                        + ".filter(e => !e.name.startsWith(location.origin)).length")
                        .asText(),
                "requests to other hosts");
    }

    private static void marker(String session, String label, double at) throws Exception {
        server.call(
                "POST",
                "/live/v1/sessions/" + session + "/markers",
                "{\"label\": \"" + label + "\", \"time\": " + at + "}",
                200);
    }

    private static void seekTo(String seconds) throws Exception {
        browser.evaluate(
                "(bar => { bar.value = '"
                        + seconds
                        + "'; bar.dispatchEvent(new Event('change')); })"
                        + "(document.querySelector('.seek input'))");
    }

    /** Captions in the frames are shown by a menu and by a key. */
    private static void captions() throws Exception {
        String menu = "document.querySelector('[aria-label=Captions]')";
        String chosen = menu + ".selectedOptions[0].textContent";
        // One that has come since, in parts of segments.
        String shown =
                """
                ((video) => [...video.textTracks[0].activeCues].some(({text, startTime}) =>
                  text === 'HELLO' && startTime > (window.chosenAt ??= video.currentTime) + 1)
                )(document.querySelector('video'))""";
        browser.await("!" + menu + ".hidden", SOON);
        assertEquals("CC off", browser.evaluate(chosen).asText());
        browser.evaluate(
                "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'C', bubbles: true}))");
        assertEquals("CC1", browser.evaluate(chosen).asText());
        browser.await(shown, SOON);
        browser.save("watch-captions.png");
        browser.evaluate(menu + ".value = '-1'; " + menu + ".dispatchEvent(new Event('change'))");
        assertEquals(
                "hidden",
                browser.evaluate("document.querySelector('video').textTracks[0].mode").asText());
    }

    private static boolean connected(String id) {
        try {
            return server.stream(id).path("connected").asBoolean();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Playback id of the stream's finished recording; empty before. */
    private static String ready(String stream) {
        try {
            JsonNode assets =
                    server.call("GET", "/video-streams/v1/assets?live_stream_id=" + stream, "", 200)
                            .path("data");
            JsonNode first = assets.path(0);
            return first.path("status").asText().equals("ready")
                    ? first.at("/playback_ids/0/id").asText()
                    : "";
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void page_ofASignedId_needsAToken_forItselfAndItsPlayer() throws Exception {
        JsonNode stream =
                server.createStream("{\"policy\": [\"signed\"], \"latency_mode\": \"low\"}");
        String playback = stream.at("/playback_ids/0/id").asText();
        JsonNode key = server.call("POST", SignedStream.KEYS, "", 200).path("data");
        TokenForge forge = TokenForge.of(key.path("id").asText(), key.path("private_key").asText());
        URI page = server.playback(playback);
        assertEquals(403, server.get(page).statusCode());
        assertEquals(403, server.get(URI.create(page + "/watch.json")).statusCode());
        String query = "?token=" + forge.good(playback, SignedStream.now() + 600);
        assertTrue(
                server.get(URI.create(page + "/oembed.json" + query))
                        .body()
                        .contains("/embed?token"));
        try (Encoder encoder = Encoder.live(server.push(stream.path("stream_key").asText()))) {
            browser.open(page + query);
            browser.await(PLAYS + " && " + moves(), SOON);
            assertTrue(encoder.isRunning(), encoder::output);
        }
        browser.assertNoPolicyReports();
        assertEquals(
                List.of(),
                browser.problems().stream().filter(each -> each.contains("Uncaught")).toList());
        assertEquals(404, server.get(server.playback("nosuchid")).statusCode());
    }

    @Test
    void player_embedded_playsOnTheSitesThatMayEmbedIt_andOnNoOther() throws Exception {
        JsonNode stream = server.createStream("{\"latency_mode\": \"low\"}");
        String id = stream.path("id").asText();
        URI player = server.playback(stream.at("/playback_ids/0/id").asText() + "/embed");
        try (Encoder encoder = Encoder.live(server.push(stream.path("stream_key").asText()));
                TestBrowser visitor = TestBrowser.start()) {
            TestServer.await("media", SOON, () -> server.status(id).equals("active"));
            // Another origin, for one and the same server.
            visitor.open("http://localhost:" + port() + "/?" + player);
            visitor.await("document.querySelector('iframe')", SOON);
            TestServer.await("the refusal", SOON, () -> isRefused(visitor));
            assertEquals(0, server.stream(id).path("viewers").asInt());

            visitor.open("http://127.0.0.1:" + port() + "/?" + player);
            // The player reports this once it plays.
            awaitStart(visitor, id);
            assertEquals(1, server.stream(id).path("viewers").asInt());
            visitor.save("watch-embedded.png");
            assertTrue(encoder.isRunning(), encoder::output);
        }
    }

    private static boolean isRefused(TestBrowser visitor) {
        return visitor.problems().stream().anyMatch(each -> each.contains("frame-ancestors"));
    }

    /** A failure says what the visitor saw. */
    private static void awaitStart(TestBrowser visitor, String id) throws Exception {
        try {
            TestServer.await("the embedded player plays", SOON, () -> hasStarted(id));
        } catch (AssertionError e) {
            visitor.save("watch-embedded-stopped.png");
            throw new AssertionError(
                    "%s; viewers: %s; console: %s"
                            .formatted(
                                    e.getMessage(),
                                    server.stream(id).path("viewers"),
                                    visitor.problems()),
                    e);
        }
    }

    private static boolean hasStarted(String id) {
        try {
            return server
                    .call("GET", "/live/v1/live-streams/" + id + "/viewers", "", 200)
                    .path("data")
                    .findValues("startup_ms_p50")
                    .stream()
                    .anyMatch(JsonNode::isNumber);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
