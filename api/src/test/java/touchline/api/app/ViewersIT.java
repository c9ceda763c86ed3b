package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.access.TokenForge;

/** Viewers of a live stream: a browser on the watch page, and players of all kinds beside it. */
class ViewersIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String PLAYS =
            "document.getElementById('player').dataset.says === 'playing'";

    /** The page, five, two, and this test, which reads the playlists. */
    private static final int PLAYERS = 9;

    @TempDir private Path folder;

    /** Players, each with connections of its own. */
    private static final class Players implements AutoCloseable {
        private final List<HttpClient> clients = new ArrayList<>();

        /** One more player requests this. */
        int asks(URI address, String... headers) throws Exception {
            HttpClient client =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            clients.add(client);
            HttpRequest.Builder request = HttpRequest.newBuilder(address);
            if (headers.length > 0) {
                request.headers(headers);
            }
            return client.send(request.build(), BodyHandlers.discarding()).statusCode();
        }

        @Override
        public void close() {
            clients.forEach(HttpClient::close);
        }
    }

    private static JsonNode viewers(TestServer server, String path) {
        try {
            return server.call("GET", path, "", 200).path("data");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** The newest segment of a media playlist. */
    private static URI segment(TestServer server, URI playlist) {
        return server.get(playlist)
                .body()
                .lines()
                .filter(line -> line.matches("s\\d+\\.m4s"))
                .reduce((_, last) -> last)
                .map(playlist::resolve)
                .orElseThrow();
    }

    @Test
    void players_ofAllKinds_areCounted_shown_andKept() throws Exception {
        try (TestServer server = TestServer.start(folder);
                TestBrowser browser = TestBrowser.start();
                Players players = new Players()) {
            JsonNode stream =
                    server.createStream(
                            """
                            {"title": "Counted", "latency_mode": "low",
                             "policy": ["public", "signed"]}
                            """);
            String id = stream.path("id").asText();
            String path = "/live/v1/live-streams/" + id + "/viewers";
            String open = stream.at("/playback_ids/0/id").asText();
            assertFalse(server.stream(id).has("viewers"), "idle");
            try (Encoder encoder = Encoder.live(server.push(stream.path("stream_key").asText()))) {
                browser.open(server.playback(open).toString());
                browser.await(PLAYS, SOON);
                TestServer.await(
                        "the page is a viewer, with a report; " + encoder.output(),
                        SOON,
                        () -> isReported(viewers(server, path)));

                URI playlist = server.mediaPlaylist(server.playback(open + ".m3u8"));
                play(players, segment(server, playlist), playlist);
                playSigned(server, players, stream);
                TestServer.await(
                        "all players",
                        Duration.ofSeconds(15),
                        () -> viewers(server, path).path("now").asInt() == PLAYERS);
                assertEquals(PLAYERS, server.stream(id).path("viewers").asInt());
                JsonNode all = viewers(server, "/live/v1/viewers");
                assertEquals(PLAYERS, all.path("now").asInt());
                assertEquals(id, all.at("/streams/0/live_stream_id").asText());
                assertTrue(
                        server.get(server.api("/observe/metrics"))
                                .body()
                                .contains("touchline_viewers " + PLAYERS + ".0\n"));
                assertTrue(encoder.isRunning(), encoder::output);

                browser.signIn(server);
                browser.open(server.api("/#/streams/" + id).toString());
                // Those of before may be over meanwhile: a page takes its time on a busy machine.
                TestServer.await(
                        "the card shows the viewers",
                        SOON,
                        () -> {
                            int now = viewers(server, path).path("now").asInt();
                            if (now < 2) {
                                again(players, segment(server, playlist));
                            }
                            return now >= 2 && now == shown(browser);
                        });
                browser.await(
                        "document.querySelector('.viewers-curve polyline')"
                                + ".getAttribute('points').split(' ').length > 30",
                        SOON);
                browser.save("viewers.png");
            }
            server.restart();
            JsonNode kept = viewers(server, path);
            assertEquals(0, kept.path("now").asInt());
            assertTrue(kept.path("peak").asInt() >= PLAYERS, kept::toString);
            assertTrue(viewers(server, "/live/v1/viewers").path("peak").asInt() >= PLAYERS);
        }
    }

    /** The page's player reports what it plays, and how long its start took. */
    private static boolean isReported(JsonNode viewers) {
        for (JsonNode point : viewers.path("points")) {
            if (point.path("bitrate_p50").asInt() > 0
                    && point.path("startup_ms_p50").asInt() > 0
                    && point.path("viewers").asInt() == 1
                    && point.path("rebuffering_ratio").isNumber()) {
                return true;
            }
        }
        return false;
    }

    /** Two of these viewers stay. */
    private static void again(Players players, URI segment) {
        try {
            assertEquals(200, players.asks(URI.create(segment + "?CMCD=sid%3D%22one%22%2Cot%3Dv")));
            assertEquals(200, players.asks(segment, "CMCD-Session", "sid=\"two\""));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** The number on the card; -1 before it is drawn. */
    private static int shown(TestBrowser browser) {
        try {
            return browser.evaluate(
                            "Number(document.querySelector('[aria-label=Viewers] output')"
                                    + "?.textContent ?? -1)")
                    .asInt(-1);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Five viewers. */
    private static void play(Players players, URI segment, URI playlist) throws Exception {
        assertEquals(200, players.asks(URI.create(segment + "?CMCD=sid%3D%22one%22%2Cot%3Dv")));
        assertEquals(200, players.asks(segment, "CMCD-Session", "sid=\"two\""));
        assertEquals(200, players.asks(playlist, "CMCD-Session", "sid=\"two\""));
        // The same address and user agent: the same segment twice, so two players.
        assertEquals(200, players.asks(playlist, "User-Agent", "television"));
        assertEquals(200, players.asks(segment, "User-Agent", "television"));
        assertEquals(200, players.asks(segment, "User-Agent", "television"));
        assertEquals(200, players.asks(segment, "User-Agent", "radio"));
    }

    /** Two viewers, one of which waits for the next segments. */
    private static void playSigned(TestServer server, Players players, JsonNode stream)
            throws Exception {
        JsonNode key = server.call("POST", SignedStream.KEYS, "", 200).path("data");
        TokenForge forge = TokenForge.of(key.path("id").asText(), key.path("private_key").asText());
        String signed = stream.at("/playback_ids/1/id").asText();
        String token = forge.good(signed, SignedStream.now() + 600);
        URI playlist = server.mediaPlaylist(server.playback(signed + ".m3u8?token=" + token));
        URI segment = segment(server, playlist);
        assertEquals(200, players.asks(segment, "CMCD-Session", "sid=\"three\""));
        long next = Long.parseLong(segment.getPath().replaceAll(".*/s(\\d+)\\.m4s", "$1")) + 1;
        assertEquals(
                200,
                players.asks(URI.create(playlist + "?_HLS_msn=" + next), "User-Agent", "waiting"));
        assertEquals(
                403,
                players.asks(server.playback(signed + ".m3u8"), "CMCD-Session", "sid=\"four\""));
    }
}
