package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.packager.record.Recording;

/** An encoder pushes, the server records: the asset as the API shows it, and its files. */
class AssetJobIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String ASSETS = "/video-streams/v1/assets";

    @TempDir private Path folder;

    @Test
    void recordedSession_isAnAssetFromItsFirstSegmentOn_untilItIsDeleted() throws Exception {
        try (TestServer server = TestServer.start(folder)) {
            JsonNode stream = server.createStream("{\"title\":\"cup\",\"record\":true}");
            String streamId = stream.path("id").asText();
            String id;
            try (Encoder encoder = Encoder.live(server.push(stream.path("stream_key").asText()))) {
                id = awaitGrowing(server, streamId, encoder);
                assertEquals(id, server.stream(streamId).path("recent_asset_ids").path(0).asText());
                server.call("DELETE", ASSETS + "/" + id, "", 409);

                server.call("PUT", "/live/v1/live-streams/" + streamId + "/complete", "", 200);
            }
            TestServer.await("the end", SOON, () -> !asset(server, id).path("is_live").asBoolean());
            JsonNode whole = asset(server, id);
            assertEquals("ready", whole.path("status").asText(), whole::toString);
            assertEquals("cup", whole.path("title").asText());
            assertEquals(0, whole.path("errors").size());
            assertEquals(1, whole.path("playback_ids").size());
            Path files = folder.resolve("assets").resolve(id);
            assertEquals(
                    Recording.load(files).durationUs() / 1_000,
                    Math.round(whole.path("duration").asDouble() * 1_000));
            assertTrue(Recording.load(files).ended());

            server.restart();
            assertEquals(whole, asset(server, id));

            server.call("DELETE", "/live/v1/live-streams/" + streamId, "", 200);
            assertEquals(whole, asset(server, id));
            server.call("DELETE", ASSETS + "/" + id, "", 200);
            server.call("GET", ASSETS + "/" + id, "", 404);
            TestServer.await("files gone", SOON, () -> !Files.exists(files));
        }
    }

    @Test
    void session_withoutRecord_makesNoAsset() throws Exception {
        try (TestServer server = TestServer.start(folder)) {
            JsonNode stream = server.createStream("{}");
            String id = stream.path("id").asText();
            try (Encoder encoder = Encoder.live(server.push(stream.path("stream_key").asText()))) {
                TestServer.await(
                        "active; the encoder says " + encoder.output(),
                        SOON,
                        () -> server.status(id).equals("active"));
            }

            assertEquals(0, assets(server, id).size());
        }
    }

    @Test
    void diskNearlyFull_recordingIsErroredWithTheReason_andLiveGoesOn() throws Exception {
        Map<String, String> full = Map.of("TOUCHLINE_STORAGE_MIN_FREE", "1PiB");
        try (TestServer server = TestServer.start(folder, full)) {
            JsonNode stream = server.createStream("{\"record\":true}");
            String streamId = stream.path("id").asText();
            URI address =
                    server.playback(
                            stream.path("playback_ids").path(0).path("id").asText() + ".m3u8");
            try (Encoder encoder = Encoder.live(server.push(stream.path("stream_key").asText()))) {
                TestServer.await(
                        "an errored asset; the encoder says " + encoder.output(),
                        SOON,
                        () -> has(assets(server, streamId).path(0), "errored"));
                JsonNode asset = assets(server, streamId).path(0);
                assertEquals("low_space", asset.at("/errors/0/type").asText(), asset::toString);
                assertFalse(asset.path("is_live").asBoolean());
                TestServer.await(
                        "live playback", SOON, () -> server.get(address).statusCode() == 200);
                server.call("DELETE", ASSETS + "/" + asset.path("asset_id").asText(), "", 200);
                assertEquals("active", server.status(streamId));
            }
        }
    }

    private static boolean has(JsonNode asset, String status) {
        return asset.path("status").asText().equals(status);
    }

    @Test
    void serverKilled_whileItRecords_finishesTheAssetAtItsNextStart() throws Exception {
        try (TestServer server = TestServer.start(folder)) {
            JsonNode stream = server.createStream("{\"record\":true}");
            String streamId = stream.path("id").asText();
            Process process = server.startElsewhere();
            String id;
            double shown;
            try (Encoder encoder = Encoder.live(server.push(stream.path("stream_key").asText()))) {
                id = awaitGrowing(server, streamId, encoder);
                shown = asset(server, id).path("duration").asDouble();
            } finally {
                process.destroyForcibly().waitFor();
            }

            server.resume();

            TestServer.await("the end", SOON, () -> !asset(server, id).path("is_live").asBoolean());
            JsonNode whole = asset(server, id);
            assertEquals("ready", whole.path("status").asText(), whole::toString);
            assertTrue(whole.path("duration").asDouble() >= shown, shown + " then " + whole);
            assertEquals("idle", server.status(streamId));
            assertFalse(Recording.load(folder.resolve("assets").resolve(id)).segments().isEmpty());
        }
    }

    /** The asset of a session, once it is ready and its duration has grown. */
    private static String awaitGrowing(TestServer server, String streamId, Encoder encoder)
            throws Exception {
        TestServer.await(
                "a ready asset; the encoder says " + encoder.output(),
                SOON,
                () -> has(assets(server, streamId).path(0), "ready"));
        JsonNode ready = assets(server, streamId).path(0);
        assertTrue(ready.path("is_live").asBoolean(), ready::toString);
        double before = ready.path("duration").asDouble();
        assertTrue(before > 0, ready::toString);
        String id = ready.path("asset_id").asText();
        TestServer.await(
                "it grows", SOON, () -> asset(server, id).path("duration").asDouble() > before);
        return id;
    }

    private static JsonNode assets(TestServer server, String streamId) {
        return data(server, ASSETS + "?live_stream_id=" + streamId);
    }

    private static JsonNode asset(TestServer server, String id) {
        return data(server, ASSETS + "/" + id);
    }

    private static JsonNode data(TestServer server, String path) {
        try {
            return server.call("GET", path, "", 200).path("data");
        } catch (Exception e) {
            throw new AssertionError(path, e);
        }
    }
}
