package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An encoder pushes, viewers watch: real RTMP from ffmpeg, real HLS to ffprobe. */
class MainJobIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    @TempDir private Path folder;

    @Test
    void push_isPlayable_untilCompleteEndsIt() throws Exception {
        try (TestServer server = TestServer.start(folder)) {
            JsonNode stream = server.createStream("{\"title\":\"cup\"}");
            String id = stream.path("id").asText();
            URI address = multivariant(server, stream);
            assertEquals(404, server.get(address).statusCode(), "idle");
            try (Encoder encoder = Encoder.live(server.push(stream.path("stream_key").asText()))) {
                TestServer.await("active", SOON, () -> server.status(id).equals("active"));
                awaitPlayable(server, address, encoder);
                URI media = server.mediaPlaylist(address);
                TestServer.await("two segments", SOON, () -> segments(server, media) >= 2);
                assertProbed(address);
                JsonNode sessions =
                        server.call("GET", "/live/v1/live-streams/" + id + "/sessions", "", 200)
                                .path("data");
                assertEquals(640, sessions.path(0).path("width").asInt(), sessions::toString);

                server.call("PUT", "/live/v1/live-streams/" + id + "/complete", "", 200);

                assertEquals(404, server.get(address).statusCode(), "multivariant after complete");
                assertEquals("idle", server.status(id));
                TestServer.await(
                        "EXT-X-ENDLIST",
                        SOON,
                        () -> server.get(media).body().contains("#EXT-X-ENDLIST"));
                String last =
                        server.get(media)
                                .body()
                                .lines()
                                .filter(line -> line.endsWith(".m4s"))
                                .toList()
                                .getLast();
                assertEquals(200, server.get(media.resolve(last)).statusCode(), "lingers");
                TestServer.await("encoder was cut", SOON, () -> !encoder.isRunning());
            }
            assertHeldUntilEnabled(server, id, stream.path("stream_key").asText());
        }
    }

    /** Encoders return by themselves: a completed session must not be followed by another one. */
    private static void assertHeldUntilEnabled(TestServer server, String id, String key)
            throws Exception {
        try (Encoder again = Encoder.live(server.push(key))) {
            assertNotEquals(0, again.await(SOON));
            assertTrue(again.output().contains("may publish again in "), again::output);
        }
        server.call("PUT", "/live/v1/live-streams/" + id + "/enable", "", 200);
        try (Encoder _ = Encoder.live(server.push(key))) {
            TestServer.await("active", SOON, () -> server.status(id).equals("active"));
        }
    }

    @Test
    void publish_isRefused_byKeyAndState() throws Exception {
        try (TestServer server = TestServer.start(folder)) {
            JsonNode stream = server.createStream("{}");
            String id = stream.path("id").asText();
            String key = stream.path("stream_key").asText();
            try (Encoder wrong = Encoder.live(server.push("no-such-key"))) {
                assertNotEquals(0, wrong.await(SOON));
                assertTrue(wrong.output().contains("Unknown stream key"), wrong::output);
            }
            server.call("PUT", "/live/v1/live-streams/" + id + "/disable", "", 200);
            assertEquals("disable", server.status(id));
            try (Encoder disabled = Encoder.live(server.push(key))) {
                assertNotEquals(0, disabled.await(SOON));
                assertTrue(disabled.output().contains("is disabled"), disabled::output);
            }
            server.call("PUT", "/live/v1/live-streams/" + id + "/enable", "", 200);
            try (Encoder first = Encoder.live(server.push(key))) {
                TestServer.await("active", SOON, () -> server.status(id).equals("active"));
                try (Encoder second = Encoder.live(server.push(key))) {
                    assertNotEquals(0, second.await(SOON));
                }
                assertTrue(first.isRunning(), first::output);
            }
        }
    }

    @Test
    void encoder_thatReturnsInsideTheWindow_continuesTheSession() throws Exception {
        try (TestServer server = TestServer.start(folder)) {
            JsonNode stream = server.createStream("{\"reconnect_window\":30}");
            String id = stream.path("id").asText();
            String push = server.push(stream.path("stream_key").asText());
            URI address = multivariant(server, stream);
            String session;
            URI media;
            try (Encoder encoder = Encoder.live(push)) {
                awaitPlayable(server, address, encoder);
                session = server.stream(id).path("active_session_id").asText();
                media = server.mediaPlaylist(address);
                encoder.kill();
            }
            assertEquals("active", server.status(id));
            try (Encoder encoder = Encoder.live(push)) {
                TestServer.await(
                        "a discontinuity with media behind it",
                        SOON,
                        () -> {
                            String text = server.get(media).body();
                            int mark = text.indexOf("#EXT-X-DISCONTINUITY\n");
                            return mark > 0 && text.indexOf(".m4s", mark) > 0;
                        });
                assertEquals(session, server.stream(id).path("active_session_id").asText());
                assertTrue(encoder.isRunning(), encoder::output);
            }
        }
    }

    @Test
    void encoder_thatStaysAway_leavesTheStreamIdle() throws Exception {
        try (TestServer server = TestServer.start(folder)) {
            JsonNode stream = server.createStream("{\"reconnect_window\":1}");
            String id = stream.path("id").asText();
            try (Encoder encoder = Encoder.live(server.push(stream.path("stream_key").asText()))) {
                TestServer.await("active", SOON, () -> server.status(id).equals("active"));
                encoder.kill();
            }
            TestServer.await("idle", SOON, () -> server.status(id).equals("idle"));
        }
    }

    @Test
    void disable_hidesEverything_fromTheNextRequestOn() throws Exception {
        try (TestServer server = TestServer.start(folder)) {
            JsonNode stream = server.createStream("{}");
            String id = stream.path("id").asText();
            URI address = multivariant(server, stream);
            try (Encoder encoder = Encoder.live(server.push(stream.path("stream_key").asText()))) {
                awaitPlayable(server, address, encoder);
                URI media = server.mediaPlaylist(address);
                String segment =
                        server.get(media)
                                .body()
                                .lines()
                                .filter(line -> line.endsWith(".m4s"))
                                .findFirst()
                                .orElseThrow();

                server.call("PUT", "/live/v1/live-streams/" + id + "/disable", "", 200);

                assertEquals(404, server.get(address).statusCode());
                assertEquals(404, server.get(media).statusCode());
                assertEquals(404, server.get(media.resolve(segment)).statusCode());
                assertTrue(server.get(media).body().contains("40401"));
                TestServer.await("encoder was cut", SOON, () -> !encoder.isRunning());
            }
        }
    }

    @Test
    void mediaSequence_neverGoesBack_acrossSessionsAndRestarts() throws Exception {
        try (TestServer server = TestServer.start(folder)) {
            JsonNode stream = server.createStream("{\"reconnect_window\":0}");
            String push = server.push(stream.path("stream_key").asText());
            URI address = multivariant(server, stream);
            long first = lastNumberOfOneSession(server, address, push);
            TestServer.await(
                    "idle", SOON, () -> server.status(stream.path("id").asText()).equals("idle"));
            server.restart();
            long second = lastNumberOfOneSession(server, address, push);
            assertTrue(second > first, first + " then " + second);
        }
    }

    @Test
    void playbackId_thatIsDeleted_refusesTheNextRequest_andANewOnePlays() throws Exception {
        try (TestServer server = TestServer.start(folder)) {
            JsonNode stream = server.createStream("{}");
            String id = stream.path("id").asText();
            String old = stream.path("playback_ids").path(0).path("id").asText();
            URI address = server.playback(old + ".m3u8");
            try (Encoder encoder = Encoder.live(server.push(stream.path("stream_key").asText()))) {
                awaitPlayable(server, address, encoder);
                URI media = server.mediaPlaylist(address);
                String path = "/live/v1/live-streams/" + id + "/playback-ids";
                JsonNode added = server.call("POST", path, "{\"policy\":\"public\"}", 200);
                URI other = server.playback(added.path("data").path("id").asText() + ".m3u8");
                assertEquals(200, server.get(other).statusCode());
                JsonNode signed = server.call("POST", path, "{\"policy\":\"signed\"}", 200);
                URI third = server.playback(signed.path("data").path("id").asText() + ".m3u8");
                assertEquals(403, server.get(third).statusCode());
                assertTrue(server.get(third).body().contains("40302"));

                server.call("DELETE", path + "/" + old, "", 200);

                assertEquals(404, server.get(address).statusCode());
                assertEquals(404, server.get(media).statusCode());
                assertEquals(200, server.get(other).statusCode());
            }
        }
    }

    private static URI multivariant(TestServer server, JsonNode stream) {
        return server.playback(stream.path("playback_ids").path(0).path("id").asText() + ".m3u8");
    }

    private static void awaitPlayable(TestServer server, URI address, Encoder encoder)
            throws InterruptedException {
        TestServer.await(
                "a playlist; the encoder says " + encoder.output(),
                SOON,
                () -> server.get(address).statusCode() == 200);
    }

    private static long segments(TestServer server, URI media) {
        return server.get(media).body().lines().filter(line -> line.startsWith("#EXTINF")).count();
    }

    private static long lastNumberOfOneSession(TestServer server, URI address, String push)
            throws Exception {
        try (Encoder encoder = Encoder.live(push)) {
            awaitPlayable(server, address, encoder);
            String text = server.get(server.mediaPlaylist(address)).body();
            String tag = "#EXT-X-MEDIA-SEQUENCE:";
            long number =
                    text.lines()
                            .filter(line -> line.startsWith(tag))
                            .mapToLong(line -> Long.parseLong(line.substring(tag.length())))
                            .findFirst()
                            .orElseThrow();
            return number + text.lines().filter(line -> line.startsWith("#EXTINF")).count() - 1;
        }
    }

    private static void assertProbed(URI address) throws Exception {
        try (Encoder probe =
                Encoder.run(
                        "ffprobe",
                        "-v",
                        "warning",
                        "-show_entries",
                        "stream=codec_name",
                        "-of",
                        "csv=p=0",
                        address.toString())) {
            assertEquals(0, probe.await(SOON), probe::output);
            assertTrue(probe.output().contains("h264"), probe::output);
            assertTrue(probe.output().contains("aac"), probe::output);
            assertFalse(probe.output().contains("["), () -> "warnings: " + probe.output());
        }
    }
}
