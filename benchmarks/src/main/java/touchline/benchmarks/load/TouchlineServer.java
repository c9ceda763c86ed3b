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
    private final List<Stream> streams = new ArrayList<>();

    private TouchlineServer(Path folder, Process process) {
        this.folder = folder;
        this.process = process;
    }

    /**
     * @param launcher the {@code touchline} script
     * @param latencyModes one stream for each: {@code standard} or {@code low}
     */
    public static TouchlineServer start(Path launcher, List<String> latencyModes)
            throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("touchline-bench");
        int api = Ports.free();
        int rtmp = Ports.free();
        int playback = Ports.free();
        ProcessBuilder builder = new ProcessBuilder(launcher.toString(), "serve");
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
        TouchlineServer server = new TouchlineServer(folder, process);
        HttpClient client = HttpClient.newHttpClient();
        for (String latencyMode : latencyModes) {
            JsonNode made = create(client, api, latencyMode);
            String key = made.path("stream_key").asText();
            String playbackId = made.path("playback_ids").path(0).path("id").asText();
            server.streams.add(
                    new Stream(
                            URI.create("rtmp://127.0.0.1:" + rtmp + "/live/" + key),
                            URI.create(
                                    "http://127.0.0.1:" + playback + "/" + playbackId + ".m3u8")));
        }
        return server;
    }

    private static JsonNode create(HttpClient client, int apiPort, String latencyMode)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + apiPort + "/live/v1/live-streams"))
                        .header("Authorization", "Bearer admin." + SECRET)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{\"latency_mode\":\"" + latencyMode + "\"}"))
                        .build();
        var reply = client.send(request, BodyHandlers.ofString());
        if (reply.statusCode() != 200) {
            throw new IOException(
                    "creating a stream: HTTP " + reply.statusCode() + ", expected 200");
        }
        return new ObjectMapper().readTree(reply.body()).path("data");
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
