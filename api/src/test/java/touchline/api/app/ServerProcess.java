package touchline.api.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.asset.FolderTree;
import touchline.api.storage.S3Store;
import touchline.config.DatabaseConfig;
import touchline.media.net.FreePorts;

/** A server in a process of its own, with its own folder and ports, and a client of its API. */
final class ServerProcess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);
    private static final String SECRET = "test-admin-secret-0123456789";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration START = Duration.ofMinutes(3);

    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<String, String> environment;
    private final List<String> classes;
    private final Path output;
    private Process process;

    /**
     * Starts it, and does not wait.
     *
     * @param more variables beside those for folder, ports and secret
     */
    ServerProcess(Path folder, Map<String, String> more) throws IOException {
        this(folder, more, ServerClasses.options());
    }

    /**
     * @param classes options of the JVM, such as the class path
     */
    ServerProcess(Path folder, Map<String, String> more, List<String> classes) throws IOException {
        Map<String, String> all = new TreeMap<>();
        all.put("TOUCHLINE_DATA_DIR", folder.toString());
        all.put("TOUCHLINE_ADMIN_SECRET", SECRET);
        for (String listener : new String[] {"API", "PLAYBACK", "RTMP", "CLUSTER"}) {
            all.put("TOUCHLINE_" + listener + "_PORT", String.valueOf(FreePorts.next()));
        }
        all.putAll(more);
        environment = all;
        this.classes = classes;
        output = Files.createTempFile("touchline-server", ".log");
        process = launch();
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

    /** Variables of a server that keeps its recordings in this S3. */
    static Map<String, String> s3(URI endpoint) {
        return Map.of(
                "TOUCHLINE_STORAGE_S3_ENDPOINT", endpoint.toString(),
                "TOUCHLINE_STORAGE_S3_BUCKET", S3Store.BUCKET,
                "TOUCHLINE_STORAGE_S3_ACCESS_KEY", S3Store.ACCESS_KEY,
                "TOUCHLINE_STORAGE_S3_SECRET_KEY", S3Store.SECRET_KEY);
    }

    private Process launch() throws IOException {
        return launch(environment, classes, Redirect.appendTo(output.toFile()));
    }

    /** Starts a server with these variables; the caller ends it. */
    static Process launch(Map<String, String> environment, Redirect output) throws IOException {
        return launch(environment, ServerClasses.options(), output);
    }

    private static Process launch(
            Map<String, String> environment, List<String> classes, Redirect output)
            throws IOException {
        List<String> command = ServerClasses.command(classes);
        // Unpacked once for all tests, not once in each data folder.
        command.add("-Dorg.bytedeco.javacpp.cachedir=" + home(".javacpp/cache"));
        command.add("-DDJL_CACHE_DIR=" + home(".djl.ai"));
        command.add(Main.class.getName());
        command.add("serve");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output);
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static Path home(String folder) {
        return Path.of(System.getProperty("user.home"), folder);
    }

    /** Waits until it serves. */
    ServerProcess awaitReady() throws Exception {
        TestServer.await("ready: " + environment.get("TOUCHLINE_DATA_DIR"), START, this::isReady);
        return this;
    }

    boolean isRunning() {
        return process.isAlive();
    }

    private boolean isReady() {
        if (!process.isAlive()) {
            throw new AssertionError("it ended with " + process.exitValue() + ": " + output());
        }
        try {
            return send("GET", "/observe/health/ready", "").statusCode() == 200;
        } catch (IOException _) {
            return false;
        }
    }

    /** Waits for its end, and returns its exit code. */
    int awaitExit() throws InterruptedException {
        if (!process.waitFor(START.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("still running: " + output());
        }
        return process.exitValue();
    }

    /** All lines of all its lives. */
    String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Ends it at once, as a crash does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Sends it a signal, such as STOP: it does nothing until CONT. */
    void signal(String name) throws IOException, InterruptedException {
        int code =
                new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                        .start()
                        .waitFor();
        if (code != 0) {
            throw new AssertionError("kill -" + name + ": " + code);
        }
    }

    /** Removes its data folder, once it has ended. Its child processes may still end. */
    void loseDisk() throws Exception {
        Path data = Path.of(environment.getOrDefault("TOUCHLINE_DATA_DIR", ""));
        TestServer.await(
                "the disk is lost",
                START,
                () -> {
                    try {
                        FolderTree.remove(data);
                        return true;
                    } catch (IOException _) {
                        return false;
                    }
                });
    }

    /** Ends it as a service manager does. */
    void stop() throws InterruptedException {
        process.destroy();
        if (awaitExit() != 0) {
            throw new AssertionError("it ended with " + process.exitValue() + ": " + output());
        }
    }

    /** Starts it again on the same folder and ports, and waits until it serves. */
    void restart() throws Exception {
        process = launch();
        awaitReady();
    }

    /** The address of its API and console. */
    String api(String path) {
        return "http://127.0.0.1:" + environment.get("TOUCHLINE_API_PORT") + path;
    }

    /** The token that may do everything. */
    static String token() {
        return "admin." + SECRET;
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
            return send("GET", "/observe/metrics", "")
                    .body()
                    .lines()
                    .filter(line -> line.startsWith(name + " "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(name + ": no such metric"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    JsonNode get(String path) {
        return call("GET", path, "");
    }

    String status(String stream) {
        return get("/live/v1/live-streams/" + stream).path("status").asText();
    }

    /** Leaves what it wrote in the report of the test. */
    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        LOG.info("server {} wrote:\n{}", process.pid(), output());
        Files.deleteIfExists(output);
    }
}
