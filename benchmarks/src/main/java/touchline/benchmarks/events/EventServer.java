package touchline.benchmarks.events;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import touchline.benchmarks.load.Ports;

/** This project's server, which may be killed and started again on the same folder and ports. */
final class EventServer implements AutoCloseable {
    private static final String SECRET = "benchmark-secret-0123456789abcdef";

    private final ProcessBuilder builder;
    private final Path folder;
    private final int api;
    private final int[] ports;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    private final ObjectMapper mapper = new ObjectMapper();
    private Process process;

    /** Where the events are stored: empty fields take the embedded database. */
    record Store(String url, String user, String password) {
        static final Store EMBEDDED = new Store("", "", "");
    }

    private EventServer(ProcessBuilder builder, Path folder, int[] ports) throws IOException {
        this.builder = builder;
        this.folder = folder;
        this.api = ports[0];
        this.ports = ports;
        this.process = builder.start();
    }

    static EventServer start(Path launcher, Store store) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("touchline-bench");
        int[] ports = {Ports.free(), Ports.free(), Ports.free()};
        ProcessBuilder builder = new ProcessBuilder(launcher.toString(), "serve");
        builder.environment()
                .putAll(
                        Map.of(
                                "TOUCHLINE_DATA_DIR", folder.resolve("data").toString(),
                                "TOUCHLINE_API_PORT", String.valueOf(ports[0]),
                                "TOUCHLINE_RTMP_PORT", String.valueOf(ports[1]),
                                "TOUCHLINE_PLAYBACK_PORT", String.valueOf(ports[2]),
                                "TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8",
                                "TOUCHLINE_ADMIN_SECRET", SECRET));
        if (!store.url().isEmpty()) {
            builder.environment()
                    .putAll(
                            Map.of(
                                    "TOUCHLINE_DB_URL", store.url(),
                                    "TOUCHLINE_DB_USER", store.user(),
                                    "TOUCHLINE_DB_PASSWORD", store.password()));
        }
        builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()));
        EventServer server = new EventServer(builder, folder, ports);
        Ports.awaitOpen(server.process, ports);
        return server;
    }

    /** {@code kill -9}, and a new start on what is left. */
    void killAndStart() throws IOException, InterruptedException {
        process.destroyForcibly().waitFor();
        process = builder.start();
        Ports.awaitOpen(process, ports);
    }

    /** New live streams, by id. */
    List<String> streams(int count) throws IOException, InterruptedException {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(call("POST", "/live/v1/live-streams", "{}").path("id").asText());
        }
        return ids;
    }

    /** An endpoint that is told of every change of a live stream. */
    String webhook(String url) throws IOException, InterruptedException {
        String body = "{\"url\":\"%s\",\"events\":[\"live_stream.updated\"]}".formatted(url);
        return call("POST", "/system/v1/webhooks", body).path("id").asText();
    }

    void deleteWebhook(String id) throws IOException, InterruptedException {
        call("DELETE", "/system/v1/webhooks/" + id, "");
    }

    /** Changes a live stream; whether the server has said that it has. */
    boolean rename(String stream, String title) throws InterruptedException {
        try {
            call("PATCH", "/live/v1/live-streams/" + stream, "{\"title\":\"" + title + "\"}");
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    private JsonNode call(String method, String path, String body)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api + path))
                        .header("Authorization", "Bearer admin." + SECRET)
                        .header("Content-Type", "application/json")
                        .timeout(Duration.ofSeconds(20))
                        .method(method, BodyPublishers.ofString(body))
                        .build();
        HttpResponse<String> reply = client.send(request, BodyHandlers.ofString());
        if (reply.statusCode() != 200) {
            throw new IOException(method + " " + path + ": HTTP " + reply.statusCode());
        }
        return mapper.readTree(reply.body()).path("data");
    }

    @Override
    public void close() throws IOException {
        client.close();
        Ports.stop(process, folder);
    }
}
