package touchline.benchmarks.moderation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.MeasuredServer.Stream;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.TouchlineServer;

/**
 * From a picture's arrival to the client's webhook: streams that show both demo models what they
 * look for, one frame a second. The arrival is the picture's time on the stream's own timeline; the
 * encoder sends in real time.
 */
public final class AlertLatency {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LOADED = Duration.ofMinutes(2);
    private static final Duration WARM_UP = Duration.ofSeconds(15);
    private static final int PAGE = 100;

    /**
     * @param streams pushed at once
     * @param measured how long, after the warm-up
     */
    public record Plan(int streams, Duration measured) {
        /** 1 stream and 60 seconds unless given. */
        public static Plan of(Arguments given) {
            return new Plan(given.number(0, 1), Duration.ofSeconds(given.number(1, 60)));
        }
    }

    private final Path launcher;
    private final Report report;

    /** When each event came, in Unix milliseconds. */
    private final Map<String, Long> receivedMs = new ConcurrentHashMap<>();

    public AlertLatency(Path launcher, Report report) {
        this.launcher = launcher;
        this.report = report;
    }

    /** The exit code: 0 when everything was measured. */
    public int run(Plan plan, Path results) throws Exception {
        HttpServer receiver =
                HttpServer.create(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        /* backlog= */ 0);
        receiver.createContext("/", this::received);
        receiver.start();
        Path film = film();
        List<Process> encoders = new ArrayList<>();
        try (TouchlineServer server =
                TouchlineServer.start(
                        launcher,
                        Collections.nCopies(plan.streams(), "standard"),
                        Map.of(
                                "TOUCHLINE_MODERATION_DEMO_MODELS", "true",
                                "TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8"))) {
            awaitModels(server);
            server.call(
                    "POST",
                    "/system/v1/webhooks",
                    "{\"url\": \"http://127.0.0.1:%d/\", \"events\": [\"audit_check\"]}"
                            .formatted(receiver.getAddress().getPort()));
            moderate(server);
            for (Stream stream : server.streams()) {
                encoders.add(push(film, stream));
            }
            report.note("%d streams, both demo models, one frame a second", plan.streams());
            Thread.sleep(WARM_UP);
            long fromMs = System.currentTimeMillis();
            Thread.sleep(plan.measured());
            long toMs = System.currentTimeMillis();
            encoders.forEach(Process::destroy);
            Thread.sleep(Duration.ofSeconds(2));
            measure(server, fromMs, toMs, plan);
            report.finish(results);
            return 0;
        } finally {
            encoders.forEach(Process::destroyForcibly);
            receiver.stop(0);
        }
    }

    private void received(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode event = JSON.readTree(exchange.getRequestBody());
            receivedMs.putIfAbsent(event.path("id").asText(), System.currentTimeMillis());
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private static void awaitModels(TouchlineServer server)
            throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + LOADED.toNanos();
        while (!server.call("GET", "/observe/health/ready", "")
                .at("/data/parts/moderation")
                .asText()
                .equals("up")) {
            if (System.nanoTime() > deadlineNs) {
                throw new IOException("the demo models are not loaded after " + LOADED);
            }
            Thread.sleep(Duration.ofMillis(200));
        }
    }

    private static void moderate(TouchlineServer server) throws IOException, InterruptedException {
        for (JsonNode stream :
                server.call("GET", "/live/v1/live-streams?limit=100", "").path("data")) {
            server.call(
                    "PUT",
                    "/live/v1/live-streams/" + stream.path("id").asText() + "/audit-settings",
                    "{\"frame_interval\": 1, \"models\": {\"nude\": 0.5, \"weapon\": 0.5}}");
        }
    }

    private void measure(TouchlineServer server, long fromMs, long toMs, Plan plan)
            throws IOException, InterruptedException {
        Samples toWebhook = new Samples();
        int missing = 0;
        boolean more = true;
        for (int page = 1; more; page++) {
            JsonNode reply =
                    server.call(
                            "GET",
                            "/audit/v1/records/moderation-records?limit=%d&page=%d"
                                    .formatted(PAGE, page),
                            "");
            for (JsonNode record : reply.path("data")) {
                long capturedMs = record.path("captured_at").asLong();
                if (capturedMs >= fromMs && capturedMs < toMs) {
                    Long atMs = receivedMs.get(record.path("event_id").asText());
                    if (atMs == null) {
                        missing++;
                    } else {
                        toWebhook.add((double) (atMs - capturedMs));
                    }
                }
            }
            more = reply.path("has_more").asBoolean();
        }
        long expected = plan.measured().toSeconds() * plan.streams();
        report.table(
                "arrival_to_webhook_ms",
                List.of(
                        "streams",
                        "frames sampled (expected)",
                        "events",
                        "missing",
                        "median",
                        "p95",
                        "most"),
                List.of(
                        List.of(
                                plan.streams(),
                                expected,
                                toWebhook.count(),
                                missing,
                                toWebhook.median(),
                                toWebhook.percentile(95),
                                toWebhook.max())));
    }

    private static Process push(Path film, Stream stream) throws IOException {
        List<String> command = new ArrayList<>(List.of("ffmpeg", "-v", "error", "-re"));
        command.addAll(List.of("-stream_loop", "-1", "-i", film.toString(), "-c", "copy"));
        command.addAll(List.of("-f", "flv", stream.push().toString()));
        return new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** 20 s of 720p30 with a key frame each second and a rectangle for each demo model. */
    private static Path film() throws IOException, InterruptedException {
        Path file = Path.of(System.getProperty("java.io.tmpdir"), "touchline-bench-alerts-20s.flv");
        if (Files.exists(file)) {
            return file;
        }
        Path partial = Files.createTempFile("touchline-bench", ".flv");
        String picture =
                "color=c=0x204020:size=1280x720:rate=30,"
                        + "drawbox=x=100:y=100:w=480:h=320:color=0xFF00FF:t=fill,"
                        + "drawbox=x=800:y=400:w=320:h=240:color=0x00FFFF:t=fill,noise=alls=6:allf=t";
        List<String> command = new ArrayList<>(List.of("ffmpeg", "-v", "error", "-y"));
        command.addAll(List.of("-f", "lavfi", "-i", picture, "-t", "20"));
        command.addAll(List.of("-c:v", "libx264", "-preset", "superfast", "-pix_fmt", "yuv420p"));
        command.addAll(List.of("-b:v", "2500k", "-g", "30", "-sc_threshold", "0"));
        command.addAll(List.of("-f", "flv", partial.toString()));
        int code = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IOException("ffmpeg exited with " + code + " while making the source");
        }
        return Files.move(partial, file);
    }
}
