package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.packager.conformance.ConformanceChecker;
import touchline.packager.conformance.HlsPlaylist;

/**
 * Low-latency HLS as players meet it: real encoders, real requests. {@code
 * -Dtouchline.conformance.seconds=300} makes the long form of the first test.
 */
class LowLatencyIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final int SECONDS = Integer.getInteger("touchline.conformance.seconds", 20);

    /** Live time from which on there is something to skip: CAN-SKIP-UNTIL is 36 s. */
    private static final int DELTA_SECONDS = 90;

    @TempDir private Path folder;

    /** A low-latency stream of a server, and its media playlist once there is one. */
    private record Live(TestServer server, String id, String push, URI multivariant) {
        static Live create(TestServer server) throws Exception {
            JsonNode stream =
                    server.createStream("{\"latency_mode\":\"low\",\"reconnect_window\":60}");
            return new Live(
                    server,
                    stream.path("id").asText(),
                    server.push(stream.path("stream_key").asText()),
                    server.playback(
                            stream.path("playback_ids").path(0).path("id").asText() + ".m3u8"));
        }

        URI playlist(Encoder encoder) throws Exception {
            TestServer.await(
                    "a playlist; " + encoder.output(),
                    SOON,
                    () -> server.get(multivariant).statusCode() == 200);
            return server.mediaPlaylist(multivariant);
        }

        void put(String action) throws Exception {
            server.call("PUT", "/live/v1/live-streams/" + id + "/" + action, "", 200);
        }
    }

    @Test
    void everyPlaylistPartAndSegment_throughReconnectAndSizeChange_conforms() throws Exception {
        try (TestServer server = TestServer.start(folder)) {
            Live live = Live.create(server);
            LowLatencyViewer viewer;
            Thread thread;
            try (Encoder encoder = Encoder.live(live.push())) {
                viewer = new LowLatencyViewer(live.playlist(encoder));
                thread = Thread.ofVirtual().start(viewer);
                rest(thread);
                encoder.kill();
            }
            try (Encoder again = Encoder.live(live.push())) {
                TestServer.await("the return", SOON, () -> viewer.discontinuities() == 1);
                rest(thread);
                assertTrue(again.isRunning(), again::output);
                again.kill();
            }
            try (Encoder other = smaller(live.push())) {
                TestServer.await("another size", SOON, () -> viewer.discontinuities() == 2);
                rest(thread);
                assertTrue(other.isRunning(), other::output);
                live.put("complete");
                assertTrue(thread.join(SOON), "the viewer saw no end");
            }
            System.out.printf(
                    "conformance: %d s live, playlists=%d deltas=%d parts=%d segments=%d hints=%d wrong=%d%n",
                    SECONDS,
                    viewer.playlists.playlists(),
                    viewer.playlists.deltas(),
                    viewer.media.parts(),
                    viewer.media.segments(),
                    viewer.playlists.hints(),
                    viewer.playlists.wrongHints());
            assertEquals(List.of(), viewer.problems);
            assertEquals(List.of(), viewer.findings());
            assertTrue(viewer.playlists.latest().orElseThrow().ended());
            assertTrue(viewer.media.parts() > 2 * SECONDS, () -> "" + viewer.media.parts());
            assertTrue(viewer.hintsServed() > SECONDS, () -> "" + viewer.hintsServed());
            assertTrue(
                    SECONDS < DELTA_SECONDS || viewer.playlists.deltas() > SECONDS / 2,
                    () -> "" + viewer.playlists.deltas());
        }
    }

    @Test
    void reload_thatAsksTheImpossible_isRefusedByName() throws Exception {
        try (TestServer server = TestServer.start(folder)) {
            Live live = Live.create(server);
            try (Encoder encoder = Encoder.live(live.push())) {
                URI media = live.playlist(encoder);
                long next = read(server, media).nextMediaSequence();

                assertRefused(server, media, "_HLS_msn=" + (next + 50), "_HLS_msn");
                assertRefused(server, media, "_HLS_msn=" + next + "&_HLS_part=500", "_HLS_part");
                assertRefused(server, media, "_HLS_part=1", "_HLS_part without _HLS_msn");
                assertRefused(server, media, "_HLS_msn=soon", "_HLS_msn");
                assertRefused(server, media, "_HLS_msn=" + next + "&_HLS_part=-1", "_HLS_part");
                assertTrue(encoder.isRunning(), encoder::output);
            }
        }
    }

    @Test
    void disable_answersHeldReloadsAndParts_with404() throws Exception {
        try (TestServer server = TestServer.start(folder);
                HttpClient client = HttpClient.newHttpClient()) {
            Live live = Live.create(server);
            try (Encoder encoder = Encoder.live(live.push())) {
                URI media = live.playlist(encoder);
                encoder.kill();
                long number = neverSent(server, media);
                List<CompletableFuture<HttpResponse<String>>> blocked = new ArrayList<>();
                blocked.add(ask(client, URI.create(media + "?_HLS_msn=" + number)));
                blocked.add(ask(client, media.resolve("s" + number + ".0.m4s")));
                TestServer.await("both are held", SOON, () -> held(server) == 2);

                live.put("disable");

                for (CompletableFuture<HttpResponse<String>> each : blocked) {
                    HttpResponse<String> reply = each.get(SOON.toSeconds(), TimeUnit.SECONDS);
                    assertEquals(404, reply.statusCode(), reply::body);
                }
                assertEquals(404, server.get(media).statusCode());
            }
        }
    }

    @Test
    void complete_answersABlockedReload_withTheEnd() throws Exception {
        try (TestServer server = TestServer.start(folder);
                HttpClient client = HttpClient.newHttpClient()) {
            Live live = Live.create(server);
            try (Encoder encoder = Encoder.live(live.push())) {
                URI media = live.playlist(encoder);
                encoder.kill();
                long number = neverSent(server, media);
                CompletableFuture<HttpResponse<String>> blocked =
                        ask(client, URI.create(media + "?_HLS_msn=" + number));
                TestServer.await("it is held", SOON, () -> held(server) == 1);

                live.put("complete");

                HttpResponse<String> reply = blocked.get(SOON.toSeconds(), TimeUnit.SECONDS);
                assertEquals(200, reply.statusCode(), reply::body);
                assertTrue(reply.body().endsWith("#EXT-X-ENDLIST\n"), reply::body);
            }
        }
    }

    /**
     * 25 frames a second without B-frames, where the other encoder sends 30 with them; a third of a
     * second of them is missing every three seconds.
     */
    private static Encoder smaller(String push) throws IOException {
        String command =
                "ffmpeg -v info -re -f lavfi -i testsrc2=size=480x270:rate=25"
                        + ",select='lt(mod(n\\,75)\\,66)'"
                        + " -f lavfi -i sine=frequency=660:sample_rate=44100"
                        + " -fps_mode passthrough -c:v libx264 -preset ultrafast -bf 0 -g 50 -sc_threshold 0"
                        + " -pix_fmt yuv420p -b:v 500k -c:a aac -b:a 96k -f flv "
                        + push;
        return Encoder.run(command.split(" ", -1));
    }

    /** A third of the live time; ends early, and fails, where the viewer does. */
    private static void rest(Thread viewer) throws InterruptedException {
        boolean ended = viewer.join(Duration.ofMillis(SECONDS * 1_000L / 3));
        assertTrue(!ended, "the viewer gave up");
    }

    /**
     * The number of a segment that never comes: the one after the next, when the encoder has
     * disconnected and all of its media is packaged.
     */
    private static long neverSent(TestServer server, URI media) throws InterruptedException {
        TestServer.await(
                "the encoder is gone and its last segment complete",
                SOON,
                () ->
                        server.metrics().value("touchline_rtmp_connections") == 0
                                && read(server, media).growingParts() == 0);
        return read(server, media).nextMediaSequence() + 1;
    }

    private static HlsPlaylist read(TestServer server, URI media) {
        ConformanceChecker once = new ConformanceChecker();
        HlsPlaylist playlist = once.whole(server.get(media).body()).orElseThrow();
        assertEquals(List.of(), once.findings());
        return playlist;
    }

    private static void assertRefused(TestServer server, URI media, String query, String name) {
        HttpResponse<String> reply = server.get(URI.create(media + "?" + query));
        assertEquals(400, reply.statusCode(), query);
        assertTrue(reply.body().contains("40002") && reply.body().contains(name), reply::body);
    }

    private static CompletableFuture<HttpResponse<String>> ask(HttpClient client, URI address) {
        return client.sendAsync(
                HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(60)).build(),
                BodyHandlers.ofString());
    }

    /** Requests that the playback port holds for media, by its own count. */
    private static double held(TestServer server) {
        return server.metrics().value("touchline_playback_blocked");
    }
}
