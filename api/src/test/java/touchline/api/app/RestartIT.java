package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.packager.record.Recording;

/** A planned restart while encoders push and viewers watch. */
class RestartIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String ASSETS = "/video-streams/v1/assets";

    @TempDir private Path folder;

    /** A stream with its addresses. */
    private record Channel(TestServer server, String id, String push, URI multivariant) {
        static Channel create(TestServer server, String body) throws Exception {
            JsonNode stream = server.createStream(body);
            return new Channel(
                    server,
                    stream.path("id").asText(),
                    server.push(stream.path("stream_key").asText()),
                    server.playback(stream.at("/playback_ids/0/id").asText() + ".m3u8"));
        }

        JsonNode record() {
            try {
                return server.stream(id);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        String playlist() {
            return server.get(server.mediaPlaylist(multivariant)).body();
        }

        void awaitSegments(int count) throws InterruptedException {
            TestServer.await(
                    count + " segments",
                    SOON,
                    () ->
                            server.get(multivariant).statusCode() == 200
                                    && segments(playlist()).size() >= count);
        }

        void awaitMediaBehindADiscontinuity() throws InterruptedException {
            TestServer.await(
                    "media behind a discontinuity",
                    SOON,
                    () -> {
                        String text = playlist();
                        int mark = text.indexOf("#EXT-X-DISCONTINUITY\n");
                        return mark > 0 && !segments(text.substring(mark)).isEmpty();
                    });
        }
    }

    /** A player that polls a media playlist and tries again while nothing answers. */
    private static final class Poller implements AutoCloseable {
        private final HttpClient client = HttpClient.newHttpClient();
        private final CountDownLatch over = new CountDownLatch(1);
        private final Queue<String> faults = new ConcurrentLinkedQueue<>();
        private long sequence;

        Poller(URI media) {
            Thread.ofVirtual().name("poller").start(() -> poll(media));
        }

        private void poll(URI media) {
            try {
                while (!over.await(50, TimeUnit.MILLISECONDS)) {
                    try {
                        check(
                                client.send(
                                        HttpRequest.newBuilder(media).build(),
                                        BodyHandlers.ofString()));
                    } catch (IOException _) {
                        // The server restarts.
                    }
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        private void check(HttpResponse<String> answer) {
            String text = answer.body();
            long now = answer.statusCode() == 200 ? number(text, "#EXT-X-MEDIA-SEQUENCE:") : -1;
            if (now < sequence || text.contains("#EXT-X-ENDLIST")) {
                faults.add(answer.statusCode() + " after " + sequence + ": " + text);
            }
            sequence = Math.max(sequence, now);
        }

        @Override
        public void close() {
            over.countDown();
            client.close();
            assertEquals(List.of(), List.copyOf(faults));
        }
    }

    @Test
    void plannedRestart_whileLive_continuesSessionsPlaylistsAndRecording() throws Exception {
        try (TestServer server = TestServer.start(folder)) {
            Channel low = Channel.create(server, "{\"record\":true,\"latency_mode\":\"low\"}");
            Channel standard = Channel.create(server, "{}");
            String lowBefore;
            String standardBefore;
            String session;
            try (Encoder one = Encoder.live(low.push());
                    Encoder two = Encoder.live(standard.push())) {
                low.awaitSegments(3);
                standard.awaitSegments(1);
                session = low.record().path("active_session_id").asText();
                assertTrue(low.record().path("connected").asBoolean());
                lowBefore = low.playlist();
                standardBefore = standard.playlist();
                assertTrue(one.isRunning() && two.isRunning(), one::output);
                try (Poller _ = new Poller(server.mediaPlaylist(low.multivariant()));
                        Poller _ = new Poller(server.mediaPlaylist(standard.multivariant()))) {
                    server.restart();
                    assertWaits(low, session, lowBefore);
                    assertWaits(standard, sessionOf(standard), standardBefore);
                    try (Encoder again = Encoder.live(low.push());
                            Encoder _ = Encoder.live(standard.push())) {
                        low.awaitMediaBehindADiscontinuity();
                        standard.awaitMediaBehindADiscontinuity();
                        assertTrue(again.isRunning(), again::output);
                        assertEquals(session, sessionOf(low));
                        assertTrue(low.record().path("connected").asBoolean());
                        assertEquals(targets(lowBefore), targets(low.playlist()));
                    }
                }
            }
            assertOneRecording(server, low);
        }
    }

    /** By the signals of an operating system, to another process. */
    @Test
    void sigterm_leavesTheSessionToTheNextStart_sigkillEndsIt() throws Exception {
        try (TestServer server = TestServer.start(folder)) {
            Channel channel = Channel.create(server, "{\"record\":true,\"reconnect_window\":600}");
            String session;
            try (Encoder _ = Encoder.live(channel.push())) {
                TestServer.await(
                        "active", SOON, () -> server.status(channel.id()).equals("active"));
                session = sessionOf(channel);

                Process second = server.startElsewhere();
                assertEquals(session, sessionOf(channel));
                second.destroy();
                assertTrue(second.waitFor(SOON.toSeconds(), TimeUnit.SECONDS));
                assertEquals(0, second.exitValue());
                Process third = server.startElsewhere();
                assertEquals(session, sessionOf(channel));
                third.destroyForcibly().waitFor();
            }
            server.resume();

            assertEquals("idle", server.status(channel.id()));
            JsonNode ended = server.call("GET", "/live/v1/sessions/" + session, "", 200);
            assertEquals("interrupted", ended.at("/data/end_reason").asText(), ended::toString);
        }
    }

    /** As a player finds it right after the start. */
    private static void assertWaits(Channel channel, String session, String before) {
        JsonNode stream = channel.record();
        assertEquals("active", stream.path("status").asText());
        assertEquals(session, stream.path("active_session_id").asText());
        assertFalse(stream.path("connected").asBoolean(), stream::toString);
        assertTrue(stream.path("disconnected_at").asLong() > 0);
        String now = channel.playlist();
        assertFalse(now.contains("#EXT-X-ENDLIST"), now);
        List<String> shown = segments(now);
        List<String> known = segments(before);
        assertTrue(shown.containsAll(known), now);
        URI media = channel.server().mediaPlaylist(channel.multivariant());
        for (String segment : shown) {
            assertEquals(200, channel.server().get(media.resolve(segment)).statusCode(), segment);
        }
    }

    private void assertOneRecording(TestServer server, Channel channel) throws Exception {
        server.call("PUT", "/live/v1/live-streams/" + channel.id() + "/complete", "", 200);
        JsonNode assets = server.call("GET", ASSETS, "", 200).path("data");
        assertEquals(1, assets.size(), assets::toString);
        String id = assets.path(0).path("asset_id").asText();
        TestServer.await(
                "the end",
                SOON,
                () -> {
                    try {
                        JsonNode asset = server.call("GET", ASSETS + "/" + id, "", 200);
                        return !asset.at("/data/is_live").asBoolean();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                });
        JsonNode asset = server.call("GET", ASSETS + "/" + id, "", 200).path("data");
        assertEquals("ready", asset.path("status").asText(), asset::toString);
        assertEquals(0, asset.path("errors").size(), asset::toString);
        Recording recording = Recording.load(folder.resolve("assets").resolve(id));
        assertTrue(recording.ended());
        assertEquals(2, recording.inits().size());
        long nextUs = 0;
        for (Recording.Segment segment : recording.segments()) {
            assertTrue(Math.abs(segment.startUs() - nextUs) < 200_000, segment::toString);
            nextUs = segment.startUs() + segment.durationUs();
        }
    }

    private static String sessionOf(Channel channel) {
        return channel.record().path("active_session_id").asText();
    }

    private static List<String> segments(String playlist) {
        return playlist.lines().filter(line -> line.matches("s\\d+\\.m4s")).toList();
    }

    private static List<String> targets(String playlist) {
        return playlist.lines().filter(line -> line.contains("TARGET")).toList();
    }

    private static long number(String playlist, String tag) {
        return playlist.lines()
                .filter(line -> line.startsWith(tag))
                .mapToLong(line -> Long.parseLong(line.substring(tag.length())))
                .findFirst()
                .orElse(-1);
    }
}
