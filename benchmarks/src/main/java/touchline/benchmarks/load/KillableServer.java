package touchline.benchmarks.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * This project's server in a process of its own, of this program's own class path, always on the
 * same folder and ports: to be killed and started again. One thread drives it; calls may come from
 * any.
 */
public final class KillableServer implements AutoCloseable {
    private static final String SECRET = "benchmark-secret-0123456789abcdef";
    private static final Duration START = Duration.ofMinutes(2);
    private static final Duration REPLY = Duration.ofSeconds(20);
    private static final long POLL_MS = 20;
    private static final int TOLD = 20;

    private final Path folder;
    private final int api;
    private final int rtmp;
    private final int playback;
    private final HttpClient client = HttpClient.newHttpClient();
    private @Nullable Process process;

    private KillableServer(Path folder, int api, int rtmp, int playback) {
        this.folder = folder;
        this.api = api;
        this.rtmp = rtmp;
        this.playback = playback;
    }

    /** On an empty folder; not started. */
    public static KillableServer create() throws IOException {
        return new KillableServer(
                Files.createTempDirectory("touchline-bench"),
                Ports.free(),
                Ports.free(),
                Ports.free());
    }

    /** Starts it, and waits until it is ready. Says how long that took. */
    public Duration start() throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        ProcessBuilder builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "touchline.api.app.Main",
                        "serve");
        builder.environment()
                .putAll(
                        Map.of(
                                "TOUCHLINE_DATA_DIR", data().toString(),
                                "TOUCHLINE_API_PORT", String.valueOf(api),
                                "TOUCHLINE_RTMP_PORT", String.valueOf(rtmp),
                                "TOUCHLINE_PLAYBACK_PORT", String.valueOf(playback),
                                "TOUCHLINE_ADMIN_SECRET", SECRET));
        Process started =
                builder.redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                        .start();
        process = started;
        while (!isReady()) {
            boolean late = System.nanoTime() - startNs > START.toNanos();
            if (!started.isAlive() || late) {
                throw new IOException("the server does not start: " + lastLines());
            }
            Thread.sleep(POLL_MS);
        }
        return Duration.ofNanos(System.nanoTime() - startNs);
    }

    /** What it said last; its log goes with its folder. */
    private String lastLines() throws IOException {
        List<String> lines = Files.readAllLines(log());
        return String.join("\n", lines.subList(Math.max(0, lines.size() - TOLD), lines.size()));
    }

    private boolean isReady() throws InterruptedException {
        try {
            return send("GET", "/observe/health/ready", "").statusCode() == 200;
        } catch (IOException _) {
            return false;
        }
    }

    /** Ends it as a power cut ends a process: with SIGKILL. */
    public void kill() throws InterruptedException {
        Process running = process;
        if (running != null) {
            running.destroyForcibly().waitFor();
        }
    }

    /** The server has answered, and not by 200. */
    public static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        private RefusedException(String message) {
            super(message);
        }
    }

    /**
     * A call of the API.
     *
     * @return the reply, with its envelope
     * @throws RefusedException when it is not answered by 200
     */
    public JsonNode call(String method, String path, String body)
            throws IOException, InterruptedException {
        HttpResponse<String> reply = send(method, path, body);
        if (reply.statusCode() != 200) {
            throw new RefusedException(method + " " + path + ": " + reply.body());
        }
        return new ObjectMapper().readTree(reply.body());
    }

    private HttpResponse<String> send(String method, String path, String body)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api + path))
                        .timeout(REPLY)
                        .header("Authorization", "Bearer admin." + SECRET)
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body))
                        .build();
        return client.send(request, BodyHandlers.ofString());
    }

    /** Where a stream with this key is pushed to, and its playback id watched. */
    public MeasuredServer.Stream stream(String key, String playbackId) {
        return new MeasuredServer.Stream(
                URI.create("rtmp://127.0.0.1:" + rtmp + "/live/" + key),
                playback(playbackId + ".m3u8"));
    }

    public URI playback(String path) {
        return URI.create("http://127.0.0.1:" + playback + "/" + path);
    }

    /** Once it was started. */
    public ProcessHandle process() {
        return Objects.requireNonNull(process, "not started").toHandle();
    }

    /** The server's data folder. */
    public Path data() {
        return folder.resolve("data");
    }

    /** What it has said so far. */
    public Path log() {
        return folder.resolve("log");
    }

    /** Stops it in order and removes the folder. */
    @Override
    public void close() throws IOException {
        Process running = process;
        if (running != null) {
            Ports.stop(running, folder);
        }
    }
}
