package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.access.TokenForge;

/** The watch page in a real browser: before, during and after a stream, and as a recording. */
class WatchPageIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String SAYS = "document.getElementById('player').dataset.says";
    private static final String PLAYS = SAYS + " === 'playing'";

    @TempDir private static Path folder;

    private static TestServer server;
    private static TestBrowser browser;

    @BeforeAll
    static void start() throws Exception {
        server = TestServer.start(folder);
        browser = TestBrowser.start();
    }

    @AfterAll
    static void stop() throws Exception {
        browser.close();
        server.close();
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
        try (Encoder encoder = Encoder.live(push)) {
            browser.await(PLAYS, SOON);
            session = server.stream(id).path("active_session_id").asText();
            marker(session, "Kick-off", 0.5);
            encoder.kill();
        }
        try (Encoder again = Encoder.live(push)) {
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
}
