package touchline.benchmarks.assets;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.TouchlineServer;

/** Makes recordings and clips at a server, and waits for them. Stateless. */
public final class AssetRequests {
    public static final String ASSETS = "/video-streams/v1/assets";

    private static final Duration ASSET_LIMIT = Duration.ofMinutes(10);
    private static final long POLL_MS = 25;

    private AssetRequests() {}

    /** A request that is repeated until it has a result. */
    @FunctionalInterface
    public interface Request<T> {
        Optional<T> send() throws IOException, InterruptedException;
    }

    /**
     * Repeats a request.
     *
     * @throws IOException it has no result within ten minutes
     */
    public static <T> T await(TouchlineServer server, Request<T> request)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + ASSET_LIMIT.toNanos();
        while (System.nanoTime() < deadline) {
            Optional<T> result = request.send();
            if (result.isPresent()) {
                return result.get();
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        throw new IOException("no result within " + ASSET_LIMIT + ": " + server.data());
    }

    /**
     * Pushes the camera's frames and new audio without gaps at full speed. Returns the recording
     * when it has ended.
     *
     * @param copy gets what is pushed, as FLV
     */
    public static JsonNode record(TouchlineServer server, int seconds, Path copy)
            throws IOException, InterruptedException {
        URI push = server.stream("{\"record\":true,\"reconnect_window\":0}").push();
        Command.require(
                Command.words(
                        "ffmpeg -v error -y -stream_loop %d -i %s -f lavfi -i"
                                + " sine=frequency=440:sample_rate=48000 -map 0:v -map 1:a -c:v"
                                + " copy -c:a aac -ac 2 -b:a 128k -t %d -flags +global_header -f"
                                + " tee [f=flv]%s|[f=flv]%s",
                        (seconds - 1) / CameraSource.CAMERA.seconds(),
                        CameraSource.CAMERA.path(),
                        seconds,
                        copy,
                        push));
        return await(
                server,
                () -> Optional.of(server.get(ASSETS).path(0)).filter(AssetRequests::hasEnded));
    }

    /** Waits until all finished assets of a server are in S3. */
    public static void awaitUploads(TouchlineServer server)
            throws IOException, InterruptedException {
        JsonNode _ =
                await(
                        server,
                        () ->
                                Optional.of(server.get("/system/v1/storage"))
                                        .filter(
                                                state ->
                                                        state.path("waiting_assets").asLong(-1)
                                                                == 0));
    }

    /** Whether an asset is complete. */
    public static boolean hasEnded(JsonNode asset) {
        return isReady(asset) && !asset.path("is_live").asBoolean();
    }

    private static boolean isReady(JsonNode asset) {
        return asset.path("status").asText().equals("ready");
    }

    /** The address of an asset's MP4 at a server. */
    public static URI mp4(TouchlineServer server, JsonNode asset) {
        return server.playback(asset.at("/playback_ids/0/id").asText() + "/capped-1080p.mp4");
    }

    /**
     * Requests a clip and waits until it is ready.
     *
     * @param body of the request
     * @throws IOException the clip failed
     */
    public static JsonNode cut(TouchlineServer server, String body)
            throws IOException, InterruptedException {
        String id = server.post("/video-streams/v1/video/clip", body).path("asset_id").asText();
        return await(
                server,
                () -> {
                    JsonNode clip = server.get(ASSETS + "/" + id);
                    if (clip.path("status").asText().equals("errored")) {
                        throw new IOException("a clip failed: " + clip);
                    }
                    return isReady(clip) ? Optional.of(clip) : Optional.empty();
                });
    }
}
