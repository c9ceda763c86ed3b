package touchline.api.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import touchline.api.asset.FolderTree;
import touchline.api.storage.S3Store;
import touchline.config.DatabaseConfig;
import touchline.media.net.FreePorts;
import touchline.testing.Await;

/**
 * A server with its own folder and ports, and a client of its API. It lives in a process of its own
 * where a test kills or freezes it, otherwise in the JVM of the test, which needs a third of the
 * processor time. Each start may choose anew.
 */
final class StartedServer implements AutoCloseable {
    private static final Duration START = Duration.ofMinutes(3);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<String, String> environment;
    private final StringBuilder earlier = new StringBuilder();
    private ServerLife life;

    private StartedServer(
            Path folder, Map<String, String> more, Function<Map<String, String>, ServerLife> start)
            throws IOException {
        Map<String, String> all = new TreeMap<>();
        all.put("TOUCHLINE_DATA_DIR", folder.toString());
        all.put("TOUCHLINE_ADMIN_SECRET", TestServer.SECRET);
        for (String listener : new String[] {"API", "PLAYBACK", "RTMP", "CLUSTER"}) {
            all.put("TOUCHLINE_" + listener + "_PORT", String.valueOf(FreePorts.next()));
        }
        all.putAll(more);
        environment = Map.copyOf(all);
        life = start.apply(environment);
    }

    /**
     * Starts one in a process, and does not wait.
     *
     * @param more variables beside those for folder, ports and secret
     */
    static StartedServer inProcess(Path folder, Map<String, String> more) throws IOException {
        return inProcess(folder, more, ServerClasses.options());
    }

    /**
     * @param classes options of the JVM, such as the class path
     */
    static StartedServer inProcess(Path folder, Map<String, String> more, List<String> classes)
            throws IOException {
        return new StartedServer(
                folder, more, environment -> ServerProcess.start(environment, classes));
    }

    /** Starts one in this JVM; then it serves. */
    static StartedServer inThisJvm(Path folder, Map<String, String> more) throws IOException {
        return new StartedServer(folder, more, ServerInThisJvm::new);
    }

    /** Variables of a server on this PostgreSQL. */
    static Map<String, String> on(DatabaseConfig database) {
        Map<String, String> variables = new HashMap<>();
        variables.put("TOUCHLINE_DB_URL", database.url().orElseThrow());
        variables.put("TOUCHLINE_DB_USER", database.user().orElseThrow());
        variables.put("TOUCHLINE_DB_PASSWORD", database.password().orElseThrow());
        variables.put("TOUCHLINE_DB_MAX_CONNECTIONS", "4");
        variables.put("TOUCHLINE_MASTER_KEY", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
        return variables;
    }

    /** Variables of a node on this PostgreSQL. */
    static Map<String, String> node(String name, DatabaseConfig database) {
        Map<String, String> variables = on(database);
        variables.put("TOUCHLINE_CLUSTER_ENABLED", "true");
        variables.put("TOUCHLINE_CLUSTER_NODE", name);
        variables.put("TOUCHLINE_PUBLIC_API_URL", "http://api.test");
        variables.put("TOUCHLINE_PUBLIC_PLAYBACK_URL", "http://play.test");
        variables.put("TOUCHLINE_PUBLIC_RTMP_URL", "rtmp://push.test");
        return variables;
    }

    /** Variables of a node on this PostgreSQL that keeps its recordings in this S3. */
    static Map<String, String> node(String name, DatabaseConfig database, URI s3) {
        Map<String, String> variables = node(name, database);
        variables.putAll(s3(s3));
        return variables;
    }

    /** Variables of a server that keeps its recordings in this S3. */
    static Map<String, String> s3(URI endpoint) {
        return Map.of(
                "TOUCHLINE_STORAGE_S3_ENDPOINT", endpoint.toString(),
                "TOUCHLINE_STORAGE_S3_BUCKET", S3Store.BUCKET,
                "TOUCHLINE_STORAGE_S3_ACCESS_KEY", S3Store.ACCESS_KEY,
                "TOUCHLINE_STORAGE_S3_SECRET_KEY", S3Store.SECRET_KEY);
    }

    /** Waits until it serves. */
    StartedServer awaitReady() throws InterruptedException {
        TestServer.await("ready: " + folder(), START, this::isReady);
        return this;
    }

    private boolean isReady() {
        if (!life.isRunning()) {
            throw new AssertionError("it has ended: " + output());
        }
        try {
            return send("GET", "/observe/health/ready", "").statusCode() == 200;
        } catch (IOException _) {
            return false;
        }
    }

    boolean isRunning() {
        return life.isRunning();
    }

    /** Ends it as a service manager does. */
    void stop() throws InterruptedException {
        life.stop();
    }

    /** Starts it again in a process, on the same folder and ports, and waits until it serves. */
    void restart() throws InterruptedException {
        lives(ServerProcess.start(environment, ServerClasses.options()));
    }

    /** The same in this JVM. */
    void restartInThisJvm() throws InterruptedException {
        lives(new ServerInThisJvm(environment));
    }

    private void lives(ServerLife next) throws InterruptedException {
        earlier.append(life.output());
        life.close();
        life = next;
        awaitReady();
    }

    /** Ends its process at once, as a crash does. */
    void kill() throws InterruptedException {
        process().kill();
    }

    /** Sends its process a signal, such as STOP: it does nothing until CONT. */
    void signal(String name) throws IOException, InterruptedException {
        process().signal(name);
    }

    /** Waits for the end of its process, and returns the exit code. */
    int awaitExit() throws InterruptedException {
        return process().awaitExit();
    }

    boolean isProcess() {
        return life instanceof ServerProcess;
    }

    private ServerProcess process() {
        if (life instanceof ServerProcess process) {
            return process;
        }
        throw new AssertionError("it does not live in a process of its own");
    }

    /** Removes its data folder, once it has ended. Its child processes may still end. */
    void loseDisk() throws InterruptedException {
        TestServer.await(
                "the disk is lost",
                START,
                () -> {
                    try {
                        FolderTree.remove(folder());
                        return true;
                    } catch (IOException _) {
                        return false;
                    }
                });
    }

    private Path folder() {
        return Path.of(environment.getOrDefault("TOUCHLINE_DATA_DIR", ""));
    }

    /** All lines of all its lives. */
    String output() {
        return earlier + life.output();
    }

    @Override
    public void close() {
        life.close();
    }

    /** The address of its API and console. */
    String api(String path) {
        return "http://127.0.0.1:" + environment.get("TOUCHLINE_API_PORT") + path;
    }

    /** The token that may do everything. */
    static String token() {
        return "admin." + TestServer.SECRET;
    }

    String push(String streamKey) {
        return "rtmp://127.0.0.1:" + environment.get("TOUCHLINE_RTMP_PORT") + "/live/" + streamKey;
    }

    /** Address of the playback server. */
    String playback(String path) {
        return "http://127.0.0.1:" + environment.get("TOUCHLINE_PLAYBACK_PORT") + path;
    }

    /** Path of the media playlist that a multivariant playlist names first. */
    String mediaPlaylist(String multivariant) {
        String text = view(multivariant).body();
        return text.lines()
                .filter(line -> !line.startsWith("#"))
                .findFirst()
                .map(line -> "/" + line)
                .orElseThrow(() -> new AssertionError("no rendition in: " + text));
    }

    /** The answer that a viewer of this server gets, one byte per character. */
    HttpResponse<String> view(String path) {
        String address = playback(path);
        try {
            return client.send(
                    HttpRequest.newBuilder(URI.create(address)).build(),
                    BodyHandlers.ofString(StandardCharsets.ISO_8859_1));
        } catch (InterruptedException | IOException e) {
            throw new AssertionError(path + ": " + e, e);
        }
    }

    private HttpResponse<String> send(String method, String path, String body) throws IOException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(api(path)))
                        .method(
                                method,
                                body.isEmpty()
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(body))
                        .header("Authorization", "Bearer " + token())
                        .header("Content-Type", "application/json")
                        .build();
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The data of a call that must succeed. */
    JsonNode call(String method, String path, String body) {
        try {
            HttpResponse<String> reply = send(method, path, body);
            if (reply.statusCode() != 200) {
                throw new AssertionError(
                        method + " " + path + ": " + reply.statusCode() + " " + reply.body());
            }
            return JSON.readTree(reply.body()).path("data");
        } catch (IOException e) {
            throw new AssertionError(method + " " + path + ": " + e + "; " + output(), e);
        }
    }

    /** The answer to a call that is refused. */
    String refusal(String method, String path, String body) throws IOException {
        HttpResponse<String> reply = send(method, path, body);
        if (reply.statusCode() == 200) {
            throw new AssertionError(method + " " + path + ": 200");
        }
        return reply.body();
    }

    /** The report of what works. */
    String health() {
        try {
            return send("GET", "/observe/health/ready", "").body();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The value of a metric without labels. */
    double metric(String name) {
        try {
            return new MetricsPage(send("GET", "/observe/metrics", "").body()).value(name);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    JsonNode get(String path) {
        return call("GET", path, "");
    }

    /** Ends a session when the server has read all that its encoder sent. */
    void complete(String stream) {
        String path = "/live/v1/live-streams/" + stream;
        TestServer.await(
                "the encoder is gone",
                Await.PATIENCE,
                () -> !get(path).path("connected").asBoolean());
        call("PUT", path + "/complete", "");
    }

    String status(String stream) {
        return get("/live/v1/live-streams/" + stream).path("status").asText();
    }
}
