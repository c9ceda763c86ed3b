package touchline.benchmarks.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.management.ManagementFactory;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * This project's server in a process of its own. Folder and ports stay the same through restarts.
 * One thread starts and closes it; calls may come from any thread.
 */
public final class TouchlineServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SECRET = "benchmark-secret-0123456789abcdef";

    /** The credential with all scopes. */
    public static final String TOKEN = "admin." + SECRET;

    private static final String HOST = "127.0.0.1:";
    private static final Duration START = Duration.ofMinutes(4);
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration REPLY = Duration.ofSeconds(20);
    private static final long POLL_MS = 20;
    private static final int PAGE = 100;
    private static final int LAST_LINES = 20;

    private final Path folder = Files.createTempDirectory("touchline-bench");
    private final int api = ServerProcess.freePort();
    private final int rtmp = ServerProcess.freePort();
    private final int playback = ServerProcess.freePort();
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT).build();
    private final List<String> command;
    private final Map<String, String> environment;
    private final String scheme;

    /** Of the newest start; written by the thread that starts. */
    private volatile Process process;

    private TouchlineServer(List<String> command, Map<String, String> more) throws IOException {
        this.command = List.copyOf(command);
        environment = new HashMap<>(more);
        scheme = more.containsKey("TOUCHLINE_TLS_CERT") ? "https://" : "http://";
        environment.put("TOUCHLINE_DATA_DIR", data().toString());
        environment.put("TOUCHLINE_API_PORT", String.valueOf(api));
        environment.put("TOUCHLINE_RTMP_PORT", String.valueOf(rtmp));
        environment.put("TOUCHLINE_PLAYBACK_PORT", String.valueOf(playback));
        environment.put("TOUCHLINE_ADMIN_SECRET", SECRET);
        // A server that has just started on a busy host may need longer itself than the usual 5 s.
        environment.putIfAbsent("TOUCHLINE_RTMP_PUBLISH_TIMEOUT", "60s");
        // Unpacked once, not once in each data folder.
        Path home = Path.of(System.getProperty("user.home"));
        environment.merge(
                "JDK_JAVA_OPTIONS",
                "-Dorg.bytedeco.javacpp.cachedir="
                        + home.resolve(".javacpp/cache")
                        + " -DDJL_CACHE_DIR="
                        + home.resolve(".djl.ai"),
                (given, ours) -> given + " " + ours);
        process = ServerProcess.start(folder, command, environment);
    }

    /** By the launcher, as in production. */
    public static TouchlineServer start() throws IOException, InterruptedException {
        return start(Map.of());
    }

    /**
     * By the launcher, as in production.
     *
     * @param environment variables beside those for folder, ports and secret
     */
    public static TouchlineServer start(Map<String, String> environment)
            throws IOException, InterruptedException {
        String home = System.getProperty("touchline.home", ".");
        return ready(List.of(Path.of(home, "touchline").toString(), "serve"), environment);
    }

    /** From the class path of this JVM, without the launcher; with its compiler and collector. */
    public static TouchlineServer startFromClassPath() throws IOException, InterruptedException {
        return startFromClassPath(Map.of());
    }

    /**
     * From the class path of this JVM, without the launcher and its JVM options. Where this JVM was
     * started without the optimizing compiler, as those of tests are, so is the server.
     *
     * @param environment variables beside those for folder, ports and secret
     */
    public static TouchlineServer startFromClassPath(Map<String, String> environment)
            throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>();
        command.add(java);
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(TouchlineServer::isOfCompilerOrCollector)
                .forEach(command::add);
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of("touchline.api.app.Main", "serve"));
        return ready(command, environment);
    }

    private static boolean isOfCompilerOrCollector(String option) {
        return option.startsWith("-XX:TieredStopAtLevel=") || option.equals("-XX:+UseSerialGC");
    }

    private static TouchlineServer ready(List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        TouchlineServer server = new TouchlineServer(command, environment);
        try {
            server.awaitReady();
            return server;
        } catch (IOException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    private void awaitReady() throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + START.toNanos();
        while (!isReady()) {
            if (!process.isAlive() || System.nanoTime() > deadlineNs) {
                List<String> lines = Files.readAllLines(log());
                int from = Math.max(0, lines.size() - LAST_LINES);
                throw new IOException(
                        "the server does not start: "
                                + String.join("\n", lines.subList(from, lines.size())));
            }
            Thread.sleep(POLL_MS);
        }
    }

    private boolean isReady() throws InterruptedException {
        try {
            return send("GET", "/observe/health/ready", "").statusCode() == 200;
        } catch (IOException _) {
            return false;
        }
    }

    /** Ends the process with SIGKILL. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Kills the process if it runs, starts it again, and returns the time until it is ready. */
    public Duration restart() throws IOException, InterruptedException {
        kill();
        long startNs = System.nanoTime();
        process = ServerProcess.start(folder, command, environment);
        awaitReady();
        return Duration.ofNanos(System.nanoTime() - startNs);
    }

    /** The server answered with an error. */
    public static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        private RefusedException(String message) {
            super(message);
        }
    }

    /**
     * Calls the API.
     *
     * @param body empty for none
     * @return the reply with its envelope
     * @throws RefusedException the status is not 2xx
     */
    public JsonNode call(String method, String path, String body)
            throws IOException, InterruptedException {
        return envelope(method, path, send(method, path, body));
    }

    private static JsonNode envelope(String method, String path, HttpResponse<String> reply)
            throws IOException {
        if (reply.statusCode() / 100 != 2) {
            throw new RefusedException(
                    "%s %s: HTTP %d (expected: 2xx): %s"
                            .formatted(method, path, reply.statusCode(), reply.body()));
        }
        return JSON.readTree(reply.body());
    }

    /** The {@code data} of a reply to GET. */
    public JsonNode get(String path) throws IOException, InterruptedException {
        return call("GET", path, "").path("data");
    }

    /** The {@code data} of a reply to POST. */
    public JsonNode post(String path, String body) throws IOException, InterruptedException {
        return call("POST", path, body).path("data");
    }

    /**
     * The same as a creating call that may be sent again.
     *
     * @param key {@code Idempotency-Key}
     */
    public JsonNode post(String path, String body, String key)
            throws IOException, InterruptedException {
        return envelope(
                        "POST",
                        path,
                        send(request("POST", path, body).header("Idempotency-Key", key)))
                .path("data");
    }

    /**
     * Reads a list page by page.
     *
     * @param path without {@code limit} and {@code page}
     */
    public void each(String path, Consumer<JsonNode> reader)
            throws IOException, InterruptedException {
        String list = path + (path.contains("?") ? "&" : "?") + "limit=" + PAGE + "&page=";
        boolean more = true;
        for (int page = 1; more; page++) {
            JsonNode reply = call("GET", list + page, "");
            reply.path("data").forEach(reader);
            more = reply.path("has_more").asBoolean();
        }
    }

    /**
     * A metric, summed over its labels.
     *
     * @param name as the metrics page writes it
     * @throws IOException the page has no such metric
     */
    public double metric(String name) throws IOException, InterruptedException {
        double[] values =
                send("GET", "/observe/metrics", "")
                        .body()
                        .lines()
                        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                        .mapToDouble(line -> Double.parseDouble(line.split(" ", -1)[1]))
                        .toArray();
        if (values.length == 0) {
            throw new IOException("no metric " + name);
        }
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum;
    }

    private HttpResponse<String> send(String method, String path, String body)
            throws IOException, InterruptedException {
        return send(request(method, path, body));
    }

    private HttpRequest.Builder request(String method, String path, String body) {
        return HttpRequest.newBuilder(URI.create(scheme + HOST + api + path))
                .timeout(REPLY)
                .header("Authorization", "Bearer " + TOKEN)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body));
    }

    private HttpResponse<String> send(HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    /**
     * Creates a live stream.
     *
     * @param settings a JSON object as the API takes it
     */
    public LiveAddress stream(String settings) throws IOException, InterruptedException {
        return address(post("/live/v1/live-streams", settings));
    }

    /**
     * The addresses of a live stream.
     *
     * @param stream as the API shows it
     */
    public LiveAddress address(JsonNode stream) {
        return new LiveAddress(
                stream.path("id").asText(),
                push(stream.path("stream_key").asText()),
                playback(stream.at("/playback_ids/0/id").asText() + ".m3u8"));
    }

    /** Where an encoder with a key sends. */
    public URI push(String streamKey) {
        return URI.create("rtmp://" + HOST + rtmp + "/live/" + streamKey);
    }

    /** Creates streams of one latency mode, with a public and a signed playback id each. */
    public List<LiveAddress> streams(int count, String latencyMode)
            throws IOException, InterruptedException {
        List<LiveAddress> streams = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            streams.add(
                    stream(
                            "{\"latency_mode\":\"%s\",\"policy\":[\"public\",\"signed\"]}"
                                    .formatted(latencyMode)));
        }
        return streams;
    }

    /** The address under the stream's signed playback id, with a token that is valid for a day. */
    public URI signed(LiveAddress stream) throws IOException, InterruptedException {
        JsonNode key = post("/live/v1/signing-keys", "");
        JsonNode ids = get("/live/v1/live-streams/" + stream.id()).path("playback_ids");
        String id = ids.path(1).path("id").asText();
        return playback(id + ".m3u8?token=" + PlaybackToken.sign(key, id, Duration.ofDays(1)));
    }

    /** A port of loopback for a further listener. */
    public static int freePort() throws IOException {
        return ServerProcess.freePort();
    }

    /** The address of the API. */
    public URI api() {
        return URI.create(scheme + HOST + api);
    }

    /** The body of a reply to GET that is no envelope. */
    public String text(String path) throws IOException, InterruptedException {
        return send("GET", path, "").body();
    }

    public URI playback(String path) {
        return URI.create(scheme + HOST + playback + "/" + path);
    }

    /** The process of the newest start. */
    public ProcessHandle process() {
        return process.toHandle();
    }

    /** Waits until the process of the newest start ends, and returns its exit code. */
    public int awaitExit() throws InterruptedException {
        return process.waitFor();
    }

    /** The server's data folder. */
    public Path data() {
        return folder.resolve("data");
    }

    /** Removes that folder, while no process runs. */
    public void removeData() throws IOException {
        try (Stream<Path> files = Files.walk(data())) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    /**
     * Runs another command of the program with this server's configuration, to its end.
     *
     * @param words such as storage, verify
     */
    public Command.Result run(List<String> words) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(command);
        all.removeLast();
        all.addAll(words);
        return Command.run(all, environment);
    }

    public Path log() {
        return ServerProcess.log(folder);
    }

    /** Stops the process and removes the folder. */
    @Override
    public void close() throws IOException {
        client.close();
        ServerProcess.stop(process, folder);
    }
}
