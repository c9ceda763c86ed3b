package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;

/** Assets of a server, by its API and its playback port. */
final class ServerAsset {
    static final String ASSETS = "/video-streams/v1/assets";

    private static final Duration SOON = Duration.ofMinutes(3);

    private ServerAsset() {}

    static void awaitFinished(StartedServer server, String id) throws Exception {
        TestServer.awaitCostly(
                "the recording is finished", SOON, () -> isFinished(server.get(ASSETS + "/" + id)));
    }

    static boolean isFinished(JsonNode asset) {
        return asset.path("status").asText().equals("ready") && !asset.path("is_live").asBoolean();
    }

    /** Recordings and clips of a stream, newest first. */
    static JsonNode ofStream(StartedServer server, String stream) {
        return server.get(ASSETS + "?live_stream_id=" + stream);
    }

    /** Another asset of a stream; one without content where there is none. */
    static JsonNode other(StartedServer server, String stream, String id) {
        JsonNode all = ofStream(server, stream);
        for (JsonNode each : all) {
            if (!each.path("asset_id").asText().equals(id)) {
                return each;
            }
        }
        return all.path(99);
    }

    static int stored(StartedServer node) {
        return node.get("/system/v1/storage").path("stored_assets").asInt();
    }

    static long events(StartedServer server, String type, String id) {
        return StreamSupport.stream(
                        server.get("/system/v1/events?limit=100&type=" + type).spliterator(), false)
                .filter(event -> event.toString().contains(id))
                .count();
    }

    /** From one frame to before another one, exactly. */
    static String clip(StartedServer server, String source, int from, int to) throws Exception {
        String body =
                "{\"asset_id\": \"%s\", \"start_time\": %.3f, \"end_time\": %.3f}"
                        .formatted(source, seconds(from), seconds(to));
        String id =
                server.call("POST", "/video-streams/v1/video/clip", body).path("asset_id").asText();
        awaitFinished(server, id);
        return id;
    }

    private static double seconds(int frame) {
        return (frame - 0.5) / NumberedVideo.PER_SECOND;
    }

    private static String playbackId(StartedServer server, String asset) {
        return server.get(ASSETS + "/" + asset).at("/playback_ids/0/id").asText();
    }

    static String hls(StartedServer server, String asset) {
        return "/" + playbackId(server, asset) + ".m3u8";
    }

    static String mp4(StartedServer server, String asset) {
        return "/" + playbackId(server, asset) + "/capped-1080p.mp4";
    }

    static List<Integer> played(StartedServer server, String address) throws Exception {
        TestServer.await(address, SOON, () -> server.view(address).statusCode() == 200);
        return NumberedVideo.numbers(server.playback(address));
    }

    /** HLS and MP4 show these frames, and the decoder has no complaint. */
    static void assertPlays(StartedServer server, String asset, List<Integer> expected)
            throws Exception {
        assertEquals(expected, played(server, hls(server, asset)));
        assertEquals(expected, played(server, mp4(server, asset)));
    }
}
