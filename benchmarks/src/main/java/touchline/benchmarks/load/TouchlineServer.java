package touchline.benchmarks.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** This project's server, started by its launcher on an empty folder, streams made by its API. */
public final class TouchlineServer implements MeasuredServer {
    private static final String SECRET = "benchmark-secret-0123456789abcdef";

    private final Path folder;
    private final Process process;
    private final int apiPort;
    private final List<Stream> streams = new ArrayList<>();
    private final List<URI> signed = new ArrayList<>();

    private TouchlineServer(Path folder, Process process, int apiPort) {
        this.folder = folder;
        this.process = process;
        this.apiPort = apiPort;
    }

    /**
     * @param launcher the {@code touchline} script
     * @param latencyModes one stream for each: {@code standard} or {@code low}
     */
    public static TouchlineServer start(Path launcher, List<String> latencyModes)
            throws IOException, InterruptedException {
        return start(launcher, latencyModes, Map.of());
    }

    /**
     * @param environment variables beside those for folder, ports and secret
     */
    public static TouchlineServer start(
            Path launcher, List<String> latencyModes, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("touchline-bench");
        int api = Ports.free();
        int rtmp = Ports.free();
        int playback = Ports.free();
        ProcessBuilder builder = new ProcessBuilder(launcher.toString(), "serve");
        builder.environment().putAll(environment);
        builder.environment()
                .putAll(
                        Map.of(
                                "TOUCHLINE_DATA_DIR", folder.resolve("data").toString(),
                                "TOUCHLINE_API_PORT", String.valueOf(api),
                                "TOUCHLINE_RTMP_PORT", String.valueOf(rtmp),
                                "TOUCHLINE_PLAYBACK_PORT", String.valueOf(playback),
                                "TOUCHLINE_ADMIN_SECRET", SECRET));
        Process process =
                builder.redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile())
                        .start();
        Ports.awaitOpen(process, api, rtmp, playback);
        TouchlineServer server = new TouchlineServer(folder, process, api);
        HttpClient client = HttpClient.newHttpClient();
        PlaybackTokens tokens = PlaybackTokens.of(post(client, api, "/live/v1/signing-keys", ""));
        for (String latencyMode : latencyModes) {
            JsonNode made =
                    post(
                            client,
                            api,
                            "/live/v1/live-streams",
                            "{\"latency_mode\":\"%s\",\"policy\":[\"public\",\"signed\"]}"
                                    .formatted(latencyMode));
            String key = made.path("stream_key").asText();
            String open = made.path("playback_ids").path(0).path("id").asText();
            String closed = made.path("playback_ids").path(1).path("id").asText();
            String viewers = "http://127.0.0.1:" + playback + "/";
            server.streams.add(
                    new Stream(
                            URI.create("rtmp://127.0.0.1:" + rtmp + "/live/" + key),
                            URI.create(viewers + open + ".m3u8")));
            server.signed.add(URI.create(viewers + closed + ".m3u8?token=" + tokens.sign(closed)));
        }
        return server;
    }

    /** The same streams under signed playback ids, each with a token that is good for a day. */
    public List<URI> signed() {
        return signed;
    }

    /**
     * A call of the API that succeeds.
     *
     * @param body empty for none
     * @return the whole envelope
     */
    public JsonNode call(String method, String path, String body)
            throws IOException, InterruptedException {
        return call(HttpClient.newHttpClient(), apiPort, method, path, body);
    }

    /** The metrics as Prometheus reads them. */
    public String metrics() throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + apiPort + "/observe/metrics"))
                        .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    /**
     * What the server counts, over all labels.
     *
     * @param name as the metrics page writes it
     */
    public double metric(String name) throws IOException, InterruptedException {
        return metrics()
                .lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.split(" ", -1)[1]))
                .sum();
    }

    private static JsonNode post(HttpClient client, int apiPort, String path, String body)
            throws IOException, InterruptedException {
        return call(client, apiPort, "POST", path, body).path("data");
    }

    private static JsonNode call(
            HttpClient client, int apiPort, String method, String path, String body)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + apiPort + path))
                        .header("Authorization", "Bearer admin." + SECRET)
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body))
                        .build();
        var reply = client.send(request, BodyHandlers.ofString());
        if (reply.statusCode() / 100 != 2) {
            throw new IOException(path + ": HTTP " + reply.statusCode() + ", expected success");
        }
        return new ObjectMapper().readTree(reply.body());
    }

    @Override
    public String name() {
        return "touchline";
    }

    @Override
    public ProcessHandle process() {
        return process.toHandle();
    }

    @Override
    public List<Stream> streams() {
        return streams;
    }

    @Override
    public void close() throws IOException {
        Ports.stop(process, folder);
    }
}
