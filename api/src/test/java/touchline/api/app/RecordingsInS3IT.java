package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.asset.FolderTree;
import touchline.api.home.Verification;
import touchline.api.storage.FaultyGate;
import touchline.api.storage.S3Store;

/** A recording whose folder is lost is played, downloaded and cut from S3. */
class RecordingsInS3IT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String ASSETS = "/video-streams/v1/assets";
    private static final int SECONDS = 5;
    private static final int FPS = 30;

    @TempDir private Path folder;

    @Test
    void recording_whoseFolderIsLost_isPlayedDownloadedAndCut() throws Exception {
        Path flv = folder.resolve("in.flv");
        NumberedVideo.encode(flv, SECONDS, "libx264 -preset ultrafast -bf 2 -g 60");
        try (S3Store store = S3Store.start();
                FaultyGate gate = new FaultyGate(store.port());
                TestServer server = TestServer.start(folder.resolve("data"), settings(gate))) {
            JsonNode asset = recorded(server, flv);
            String id = asset.path("asset_id").asText();
            TestServer.await(
                    "the upload",
                    SOON,
                    () -> store.keys().stream().anyMatch(key -> key.endsWith(id + "/index")));
            Path files = folder.resolve("data/assets").resolve(id);
            assertTrue(verified(server).isClean());

            FolderTree.remove(files);
            assertEquals(shown(0, SECONDS * FPS), NumberedVideo.numbers(hls(server, asset)));

            FolderTree.remove(files);
            server.restart();
            assertEquals(200, server.get(server.api("/observe/health/ready")).statusCode());
            assertEquals(shown(0, SECONDS * FPS), NumberedVideo.numbers(mp4(server, asset)));

            FolderTree.remove(files);
            JsonNode clip = clip(server, id);
            assertEquals(shown(41, 91), NumberedVideo.numbers(mp4(server, clip)));

            FolderTree.remove(files);
            gate.refuseAll(503, "SlowDown");
            HttpResponse<String> away =
                    server.get(server.playback(playbackId(asset) + "/capped-1080p.mp4"));
            assertEquals(503, away.statusCode(), away.body());
            assertTrue(away.headers().firstValue("Retry-After").isPresent(), away.body());
            assertTrue(Files.notExists(files), "nothing was made of an error");
        }
    }

    /** Beside the server, as the command does it. */
    private static Verification.Result verified(TestServer server) throws Exception {
        TestServer.await(
                "the end of the upload",
                SOON,
                () -> data(server, "/system/v1/storage").path("stored_assets").asInt() == 1);
        try (RemoteStorage remote =
                new RemoteStorage(new ApiClient(server.api(""), TestServer.SECRET))) {
            List<String> findings = new ArrayList<>();
            Verification.Result result =
                    remote.verify(
                            /* orphans= */ true,
                            new Verification.Report() {
                                @Override
                                public void progress(long checked, long all) {
                                    assertEquals(1, all);
                                }

                                @Override
                                public void found(Verification.Finding finding) {
                                    findings.add(finding.toString());
                                }
                            });
            assertEquals(List.of(), findings);
            assertEquals(1, result.assets());
            return result;
        }
    }

    private static Map<String, String> settings(FaultyGate gate) {
        Map<String, String> settings = new HashMap<>(StartedServer.s3(gate.endpoint()));
        settings.put("TOUCHLINE_STORAGE_S3_PREFIX", "live/archive");
        return settings;
    }

    private static JsonNode recorded(TestServer server, Path flv) throws Exception {
        String key =
                server.createStream("{\"record\": true, \"reconnect_window\": 0}")
                        .path("stream_key")
                        .asText();
        String command =
                "ffmpeg -v info -readrate 8 -i " + flv + " -c copy -f flv " + server.push(key);
        try (Encoder encoder = Encoder.run(command.split(" "))) {
            assertEquals(0, encoder.await(SOON), encoder::output);
        }
        TestServer.await(
                "a finished asset",
                SOON,
                () -> {
                    JsonNode first = data(server, ASSETS).path(0);
                    return first.path("status").asText().equals("ready")
                            && !first.path("is_live").asBoolean();
                });
        return data(server, ASSETS).path(0);
    }

    /** Frames 41 to 90: from 1.35 to 3.03 s. */
    private static JsonNode clip(TestServer server, String source) throws Exception {
        String body =
                "{\"asset_id\": \"%s\", \"start_time\": 1.35, \"end_time\": 3.017}"
                        .formatted(source);
        JsonNode clip = server.call("POST", "/video-streams/v1/video/clip", body, 200).path("data");
        String id = clip.path("asset_id").asText();
        TestServer.await(
                "the clip",
                SOON,
                () -> data(server, ASSETS + "/" + id).path("status").asText().equals("ready"));
        return clip;
    }

    private static List<Integer> shown(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    private static String hls(TestServer server, JsonNode asset) {
        return server.playback(playbackId(asset) + ".m3u8").toString();
    }

    private static String mp4(TestServer server, JsonNode asset) {
        return server.playback(playbackId(asset) + "/capped-1080p.mp4").toString();
    }

    private static String playbackId(JsonNode asset) {
        return asset.at("/playback_ids/0/id").asText();
    }

    private static JsonNode data(TestServer server, String path) {
        try {
            return server.call("GET", path, "", 200).path("data");
        } catch (Exception e) {
            throw new AssertionError(path, e);
        }
    }
}
