package touchline.api.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import touchline.api.vod.TranscodingLimits;
import touchline.config.ConfigLoader;
import touchline.config.LoadedConfig;
import touchline.media.net.FreePorts;
import touchline.overlay.page.PageRenderer;
import touchline.testing.Await;

/** A whole server with its own ports and folder, and a client of its API. */
final class TestServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    static final String SECRET = "test-admin-secret-0123456789";
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration COSTLY_POLL = Duration.ofMillis(300);

    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<String, String> environment;
    private final Start start;
    private final Optional<Path> configFile;
    private Server server;

    private TestServer(Map<String, String> environment, Start start, Optional<Path> configFile) {
        this.configFile = configFile;
        this.environment = environment;
        this.start = start.with(new TestWorkers());
        this.server = started();
    }

    static TestServer start(Path dataDir) throws IOException {
        return start(dataDir, Map.of());
    }

    /**
     * @param environment more variables than those for folder, ports and secret
     */
    static TestServer start(Path dataDir, Map<String, String> environment) throws IOException {
        return start(dataDir, environment, Start.USUAL, Optional.empty());
    }

    /**
     * @param pages renders web pages instead of the browser
     */
    static TestServer start(
            Path dataDir, Map<String, String> environment, Supplier<PageRenderer> pages)
            throws IOException {
        return start(
                dataDir, environment, Start.USUAL.with((_, _, _) -> pages.get()), Optional.empty());
    }

    /** One that tries a failed transcoding again at once. */
    static TestServer hasty(Path dataDir, Map<String, String> environment) throws IOException {
        List<Duration> pauses = TranscodingLimits.PAUSES.stream().map(_ -> Duration.ZERO).toList();
        return start(dataDir, environment, Start.USUAL.with(pauses), Optional.empty());
    }

    /**
     * @param configFile YAML, read again by a reload
     */
    static TestServer start(
            Path dataDir, Map<String, String> environment, Start start, Optional<Path> configFile)
            throws IOException {
        Map<String, String> all = new TreeMap<>(environment);
        all.put("TOUCHLINE_DATA_DIR", dataDir.toString());
        all.put("TOUCHLINE_ADMIN_SECRET", SECRET);
        all.put("TOUCHLINE_API_PORT", freePort());
        all.put("TOUCHLINE_PLAYBACK_PORT", freePort());
        all.put("TOUCHLINE_RTMP_PORT", freePort());
        EmptyDatabase.put(all);
        return new TestServer(all, start, configFile);
    }

    /** Stops and starts again on the same folder and ports. */
    void restart() {
        server.close();
        server = started();
    }

    /**
     * Stops, and starts again on the same folder and ports as a process that a test can kill. The
     * caller ends the process before {@link #resume}.
     */
    Process startElsewhere() throws Exception {
        server.close();
        Process process = ServerProcess.launch(environment, ProcessBuilder.Redirect.DISCARD);
        try {
            await("the other process serves", Await.PATIENCE, () -> serves(process));
            return process;
        } catch (AssertionError e) {
            process.destroyForcibly().waitFor();
            throw e;
        }
    }

    private boolean serves(Process process) {
        if (!process.isAlive()) {
            throw new AssertionError("the server ended with " + process.exitValue());
        }
        try {
            HttpRequest ready = HttpRequest.newBuilder(api("/observe/health/ready")).build();
            return client.send(ready, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException _) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Starts again on the same folder and ports, after {@link #startElsewhere}. */
    void resume() {
        server = started();
    }

    String token() {
        return "admin." + SECRET;
    }

    URI api(String path) {
        return URI.create("http://127.0.0.1:" + port("API") + path);
    }

    /** The address of {@code ID.m3u8}, or of a file below a playback id. */
    URI playback(String path) {
        return URI.create("http://127.0.0.1:" + port("PLAYBACK") + "/" + path);
    }

    /** The RTMP address for a stream key. */
    String push(String streamKey) {
        return "rtmp://127.0.0.1:" + port("RTMP") + "/live/" + streamKey;
    }

    /** Calls the API; fails the test unless the response has this status. */
    JsonNode call(String method, String path, String body, int expectedStatus) throws Exception {
        BodyPublisher publisher =
                body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
        HttpRequest request =
                HttpRequest.newBuilder(api(path))
                        .method(method, publisher)
                        .header("Authorization", "Bearer " + token())
                        .header("Content-Type", "application/json")
                        .build();
        HttpResponse<String> reply = client.send(request, BodyHandlers.ofString());
        if (reply.statusCode() != expectedStatus) {
            throw new AssertionError(
                    method + " " + path + ": " + reply.statusCode() + " " + reply.body());
        }
        return reply.body().isEmpty() ? JSON.nullNode() : JSON.readTree(reply.body());
    }

    JsonNode createStream(String body) throws Exception {
        return call("POST", "/live/v1/live-streams", body, 200).path("data");
    }

    /** A new access token, as a client shows it. */
    String mint(String name, String... scopes) throws Exception {
        String body =
                "{\"name\":\"%s\",\"scopes\":[\"%s\"]}"
                        .formatted(name, String.join("\",\"", scopes));
        return call("POST", "/system/v1/access-tokens", body, 200).at("/data/token").asText();
    }

    JsonNode stream(String id) throws Exception {
        return call("GET", "/live/v1/live-streams/" + id, "", 200).path("data");
    }

    /** Ends a session when the server has read all that its encoder sent. */
    void complete(String id) throws Exception {
        await("the encoder is gone", Await.PATIENCE, () -> !isConnected(id));
        call("PUT", "/live/v1/live-streams/" + id + "/complete", "", 200);
    }

    private boolean isConnected(String id) {
        try {
            return stream(id).path("connected").asBoolean();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    String status(String id) {
        try {
            return stream(id).path("status").asText();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    HttpResponse<String> get(URI address) {
        try {
            return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(address + ": " + e, e);
        }
    }

    MetricsPage metrics() {
        return new MetricsPage(get(api("/observe/metrics")).body());
    }

    HttpResponse<byte[]> bytes(URI address) throws Exception {
        return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofByteArray());
    }

    /** The newest composited frame of a stream; empty while there is none. */
    Optional<BufferedImage> preview(String id) {
        HttpRequest request =
                HttpRequest.newBuilder(
                                api(
                                        "/live/v1/live-streams/"
                                                + id
                                                + "/generated-watermark/preview.png"))
                        .header("Authorization", "Bearer " + token())
                        .build();
        try {
            HttpResponse<byte[]> reply = client.send(request, BodyHandlers.ofByteArray());
            return reply.statusCode() == 200
                    ? Optional.of(ImageIO.read(new ByteArrayInputStream(reply.body())))
                    : Optional.empty();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The media playlist that a multivariant playlist names. */
    URI mediaPlaylist(URI multivariant) {
        String text = get(multivariant).body();
        String child =
                text.lines()
                        .filter(line -> !line.isBlank() && !line.startsWith("#"))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("no rendition in: " + text));
        return multivariant.resolve(child);
    }

    /** Waits for a condition; the failure names it. */
    static <X extends Exception> void await(
            String what, Duration atMost, Await.Condition<X> condition) throws X {
        Await.until(condition, () -> what, atMost, POLL);
    }

    /** The same for a condition that costs the server or the machine much, such as a preview. */
    static <X extends Exception> void awaitCostly(
            String what, Duration atMost, Await.Condition<X> condition) throws X {
        Await.until(condition, () -> what, atMost, COSTLY_POLL);
    }

    /** The first answer with another status than 503: a busy server makes no thumbnail now. */
    static <T> T unlessBusy(Callable<T> ask, ToIntFunction<T> status) throws Exception {
        AtomicReference<T> answer = new AtomicReference<>(ask.call());
        await(
                "an answer of a busy server",
                Duration.ofMinutes(3),
                () -> {
                    if (status.applyAsInt(answer.get()) == 503) {
                        answer.set(ask.call());
                    }
                    return status.applyAsInt(answer.get()) != 503;
                });
        return answer.get();
    }

    @Override
    public void close() {
        server.close();
    }

    private @Nullable String port(String listener) {
        return environment.get("TOUCHLINE_" + listener + "_PORT");
    }

    private Server started() {
        LoadedConfig config = new ConfigLoader(environment, Path.of(".")).source(configFile).load();
        return Server.start(config, start);
    }

    private static String freePort() throws IOException {
        return String.valueOf(FreePorts.next());
    }
}
