package touchline.benchmarks.moderation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.Senders;

/**
 * From a frame's arrival to the client's webhook, and what is lost on the way: streams that show
 * both demo models what they look for. The encoders send each frame when it is due and without
 * B-frames, so that the frame's time on the stream's own timeline is when it arrived.
 */
public final class AlertLatency {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration WARM_UP = Duration.ofSeconds(15);
    private static final Duration LAST_EVENTS = Duration.ofSeconds(3);

    /** How late a frame may be sent. */
    private static final long ROUND_MS = 2;

    /**
     * @param streams pushed at once
     * @param measured how long, after the warm-up
     * @param intervalSeconds between the frames of a stream
     */
    public record Plan(int streams, Duration measured, int intervalSeconds) {
        /** 1 stream and 60 seconds unless given; {@code --interval 1}. */
        public static Plan of(Arguments given) {
            return new Plan(
                    given.number(0, 1),
                    Duration.ofSeconds(given.number(1, 60)),
                    given.option("--interval", 1));
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

    /** The exit code: 1 where a frame was lost. */
    public int run(Plan plan, Path results) throws Exception {
        HttpServer receiver =
                HttpServer.create(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        /* backlog= */ 0);
        receiver.createContext("/", this::received);
        receiver.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        receiver.start();
        PushMedia media = CameraSource.alarmMedia(plan.measured().plus(WARM_UP).toSeconds() + 20);
        try (ModeratedServer server = ModeratedServer.start(launcher, plan.streams(), "standard")) {
            server.sendAlertsTo("http://127.0.0.1:" + receiver.getAddress().getPort() + "/");
            for (int i = 0; i < plan.streams(); i++) {
                server.moderate(i, plan.intervalSeconds(), /* threshold= */ 0.5, "");
            }
            try (Senders senders = Senders.start(server.streams(), media, ROUND_MS)) {
                report.note(
                        "%d streams, both demo models, a frame each %d s",
                        plan.streams(), plan.intervalSeconds());
                int code = measure(server, plan);
                if (!senders.dead().isEmpty()) {
                    throw new IOException("encoders were lost: " + senders.dead());
                }
                report.finish(results);
                return code;
            }
        } finally {
            receiver.stop(0);
        }
    }

    private void received(HttpExchange exchange) throws IOException {
        try (exchange) {
            long atMs = System.currentTimeMillis();
            JsonNode event = JSON.readTree(exchange.getRequestBody());
            receivedMs.putIfAbsent(event.path("id").asText(), atMs);
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private int measure(ModeratedServer server, Plan plan) throws Exception {
        Thread.sleep(WARM_UP);
        long fromMs = System.currentTimeMillis();
        double fromCpu = ProcessUsage.of(server.process()).cpuSeconds();
        Thread.sleep(plan.measured());
        long toMs = System.currentTimeMillis();
        double cpuSeconds = ProcessUsage.of(server.process()).cpuSeconds() - fromCpu;
        Thread.sleep(LAST_EVENTS);
        Counters counters = Counters.of(server);
        report.table("frames_since_the_start", Counters.COLUMNS, List.of(counters.row()));
        int missing = alerts(server, fromMs, toMs, plan, cpuSeconds);
        return missing > 0 || counters.lost() ? 1 : 0;
    }

    /** Of the server's moderation, since its start. */
    private record Counters(
            long sampled, long analysed, long dropped, long failed, long undecodable) {
        private static final List<String> COLUMNS =
                List.of("sampled", "analysed", "dropped", "failed", "undecodable");

        static Counters of(ModeratedServer server) throws IOException, InterruptedException {
            return new Counters(
                    server.counter("sampled"),
                    server.counter("analysed"),
                    server.counter("dropped"),
                    server.counter("failed"),
                    server.counter("undecodable"));
        }

        List<Object> row() {
            return List.of(sampled, analysed, dropped, failed, undecodable);
        }

        boolean lost() {
            return dropped + failed + undecodable > 0;
        }
    }

    /** How many of the measured records have no event. */
    private int alerts(ModeratedServer server, long fromMs, long toMs, Plan plan, double cpuSeconds)
            throws Exception {
        Samples toWebhook = new Samples();
        int[] missing = {0};
        server.eachRecord(
                record -> {
                    long capturedMs = record.path("captured_at").asLong();
                    if (capturedMs >= fromMs && capturedMs < toMs) {
                        Long atMs = receivedMs.get(record.path("event_id").asText());
                        if (atMs == null) {
                            missing[0]++;
                        } else {
                            toWebhook.add((double) (atMs - capturedMs));
                        }
                    }
                });
        Samples toVerdict = new Samples();
        for (int i = 0; i < plan.streams(); i++) {
            server.eachFrame(
                    i,
                    frame -> {
                        long capturedMs = frame.path("captured_at").asLong();
                        if (capturedMs >= fromMs && capturedMs < toMs) {
                            toVerdict.add((double) (frame.path("judged_at").asLong() - capturedMs));
                        }
                    });
        }
        report.table(
                "after_arrival_ms",
                List.of("streams", "until", "count", "missing", "median", "p95", "most"),
                List.of(
                        row(plan.streams(), "models have answered", toVerdict, /* missing= */ 0),
                        row(plan.streams(), "webhook received", toWebhook, missing[0])));
        report.table(
                "cpu",
                List.of("streams", "server's cores in use"),
                List.of(List.of(plan.streams(), cpuSeconds * 1_000 / (toMs - fromMs))));
        return missing[0];
    }

    private static List<Object> row(int streams, String what, Samples samples, int missing) {
        return List.of(
                streams,
                what,
                samples.count(),
                missing,
                samples.median(),
                samples.percentile(95),
                samples.max());
    }
}
