package touchline.benchmarks.transcode;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Two live streams of 720p30 with a scoreboard page over each, first alone, then while jobs are
 * encoded without a pause: how many frames come out of the compositors, and how many are left out.
 */
final class BesideLive {
    private static final Duration WARM_UP = Duration.ofSeconds(15);
    private static final int STREAMS = 2;
    private static final double FRAMES_PER_SECOND = 30;

    /** Faster than this no job of ours is, so that there is always one more. */
    private static final int MOST_TIMES_REAL_TIME = 20;

    private static final int OUTPUTS = 4;

    private static final String PAGE =
            """
            <!doctype html><body style="margin:0;font:60px sans-serif;background:#123c;color:#fff">
            <p id="clock"></p><script>
            setInterval(() => document.querySelector('#clock').textContent =
                'HOME 2 : 1 AWAY ' + Math.floor(performance.now() / 1000), 200);
            </script>
            """;

    private final Path launcher;
    private final Report report;
    private final Path folder;

    /**
     * @param folder for what jobs write
     */
    BesideLive(Path launcher, Report report, Path folder) {
        this.launcher = launcher;
        this.report = report;
        this.folder = folder;
    }

    /** What the server has counted up to a moment. */
    private record Count(long atNs, double frames, double dropped, double jobs) {
        static Count of(TouchlineServer server) throws IOException, InterruptedException {
            return new Count(
                    System.nanoTime(),
                    server.metric("touchline_overlay_frames_total"),
                    server.metric("touchline_overlay_dropped_total"),
                    jobs(server));
        }

        /** Those under way count by their progress. */
        private static double jobs(TouchlineServer server)
                throws IOException, InterruptedException {
            double sum = 0;
            for (JsonNode task :
                    server.call("GET", "/vodencoding/v1/tasks?limit=100", "").path("data")) {
                sum += task.path("progress").asDouble();
            }
            return sum;
        }
    }

    void run(Path input, int inputSeconds, Duration time) throws Exception {
        report.note(
                "two live streams with scoreboards: %d s alone and with jobs", time.toSeconds());
        HttpServer site = site(input);
        String address = "http://127.0.0.1:" + site.getAddress().getPort();
        try (TouchlineServer server = server()) {
            overlay(server, address);
            long seconds = WARM_UP.plus(time.multipliedBy(2)).toSeconds() + 30;
            try (Senders senders = Senders.start(server.streams(), CameraSource.media(seconds))) {
                TimeUnit.NANOSECONDS.sleep(WARM_UP.toNanos());
                Count begin = Count.of(server);
                TimeUnit.NANOSECONDS.sleep(time.toNanos());
                Count alone = Count.of(server);
                long media = MOST_TIMES_REAL_TIME * time.toSeconds();
                submit(server, address, (int) Math.ceilDiv(media, OUTPUTS * inputSeconds));
                TimeUnit.NANOSECONDS.sleep(time.toNanos());
                Count beside = Count.of(server);
                if (!senders.dead().isEmpty()) {
                    throw new IOException("an encoder was lost: " + senders.dead());
                }
                table(begin, alone, beside);
                report.note("encoders had to wait for %d ms at most", senders.mostBehindMs());
            }
        } finally {
            site.stop(/* delay= */ 0);
        }
    }

    private TouchlineServer server() throws IOException, InterruptedException {
        return TouchlineServer.start(
                launcher,
                List.of("standard", "standard"),
                Map.of(
                        "TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8",
                        "TOUCHLINE_OVERLAY_ALLOW_NO_SANDBOX", "true",
                        "TOUCHLINE_STORAGE_FILE_ROOT", folder.resolve("root").toString()));
    }

    private static void overlay(TouchlineServer server, String address) throws Exception {
        for (JsonNode stream : server.call("GET", "/live/v1/live-streams", "").path("data")) {
            server.call(
                    "PUT",
                    "/live/v1/live-streams/" + stream.path("id").asText() + "/generated-watermark",
                    """
                    {"type": "html", "url": "%s/page",
                     "overlay_settings": {"width": "50%%", "height": "20%%"}}
                    """
                            .formatted(address));
        }
    }

    /** More jobs than can be done in the time. */
    private static void submit(TouchlineServer server, String address, int requests)
            throws Exception {
        String storage =
                server.call(
                                "POST",
                                "/vodencoding/v1/add_storage",
                                """
                                {"type": "file", "bucket": "bench", "notify": "%s/done"}
                                """
                                        .formatted(address))
                        .path("data")
                        .path("storage_id")
                        .asText();
        String output = "{\"format\": \"mp4\", \"height\": 480, \"video_bitrate\": 1000000}";
        for (int request = 0; request < requests; request++) {
            server.call(
                    "POST",
                    "/vodencoding/v1/tasks",
                    """
                    {"storage_id": "%s", "input": "%s/input.mp4", "outputs": [%s]}
                    """
                            .formatted(
                                    storage,
                                    address,
                                    String.join(",", Collections.nCopies(OUTPUTS, output))));
        }
    }

    private void table(Count begin, Count alone, Count beside) {
        report.table(
                "live_beside_jobs",
                List.of(
                        "two streams of 720p30 with scoreboards",
                        "frames due",
                        "composited",
                        "left out",
                        "jobs done"),
                List.of(row("alone", begin, alone), row("while jobs run", alone, beside)));
    }

    private static List<Object> row(String name, Count from, Count to) {
        double seconds = (to.atNs() - from.atNs()) / 1e9;
        return List.of(
                name,
                Math.round(seconds * FRAMES_PER_SECOND * STREAMS),
                Math.round(to.frames() - from.frames()),
                Math.round(to.dropped() - from.dropped()),
                to.jobs() - from.jobs());
    }

    /** The scoreboard's page, the jobs' input, and a receiver of notifications. */
    private static HttpServer site(Path input) throws IOException {
        HttpServer site =
                HttpServer.create(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        /* backlog= */ 0);
        site.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        byte[] page = PAGE.getBytes(StandardCharsets.UTF_8);
        byte[] ack = "{\"ack\": true}".getBytes(StandardCharsets.UTF_8);
        site.createContext("/page", exchange -> answer(exchange, "text/html", page));
        site.createContext("/done", exchange -> answer(exchange, "application/json", ack));
        site.createContext(
                "/input.mp4", exchange -> answer(exchange, "video/mp4", Files.readAllBytes(input)));
        site.start();
        return site;
    }

    private static void answer(HttpExchange exchange, String type, byte[] body) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.getResponseHeaders().add("Content-Type", type);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
