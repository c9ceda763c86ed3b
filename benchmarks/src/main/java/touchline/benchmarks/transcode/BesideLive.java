package touchline.benchmarks.transcode;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.LocalSite;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Two live streams of 720p30 with a scoreboard page each, first alone, then while jobs are encoded
 * without a pause: the number of composited and dropped frames.
 */
final class BesideLive {
    private static final Duration WARM_UP = Duration.ofSeconds(15);
    private static final int STREAMS = 2;

    /** Faster than any job, so that the queue of jobs never gets empty. */
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

    private final Report report;
    private final Path folder;

    /**
     * @param folder for the output of jobs
     */
    BesideLive(Report report, Path folder) {
        this.report = report;
        this.folder = folder;
    }

    /** Counts of the server at a moment. */
    private record Count(long atNs, double frames, double dropped, double jobs) {
        static Count of(TouchlineServer server) throws IOException, InterruptedException {
            return new Count(
                    System.nanoTime(),
                    server.metric("touchline_overlay_frames_total"),
                    server.metric("touchline_overlay_dropped_total"),
                    jobs(server));
        }

        /** Sum of the progress of all jobs. */
        private static double jobs(TouchlineServer server)
                throws IOException, InterruptedException {
            double sum = 0;
            for (JsonNode task : server.get("/vodencoding/v1/tasks?limit=100")) {
                sum += task.path("progress").asDouble();
            }
            return sum;
        }
    }

    void run(Path input, int inputSeconds, Duration time) throws Exception {
        report.note(
                "two live streams with scoreboards: %d s alone and with jobs", time.toSeconds());
        Map<String, String> environment =
                Map.of(
                        "TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8",
                        "TOUCHLINE_OVERLAY_ALLOW_NO_SANDBOX", "true",
                        "TOUCHLINE_STORAGE_FILE_ROOT", folder.resolve("root").toString());
        try (LocalSite site = site(input);
                TouchlineServer server = TouchlineServer.start(environment)) {
            List<LiveAddress> streams = server.streams(STREAMS, "standard");
            for (LiveAddress stream : streams) {
                overlay(server, stream, site.address("/page"));
            }
            long seconds = WARM_UP.plus(time.multipliedBy(2)).toSeconds() + 30;
            PushMedia media = CameraSource.CAMERA.media(seconds);
            try (Senders senders = Senders.start(streams, media)) {
                Thread.sleep(WARM_UP);
                Count begin = Count.of(server);
                Thread.sleep(time);
                Count alone = Count.of(server);
                long jobSeconds = MOST_TIMES_REAL_TIME * time.toSeconds();
                submit(server, site, (int) Math.ceilDiv(jobSeconds, OUTPUTS * inputSeconds));
                Thread.sleep(time);
                Count beside = Count.of(server);
                senders.requireAlive();
                Report.Table table =
                        report.table(
                                "live_beside_jobs",
                                "two streams of 720p30 with scoreboards | frames due | composited"
                                        + " | dropped | jobs done");
                row(table, "alone", begin, alone);
                row(table, "while jobs run", alone, beside);
                report.note("encoders had to wait for %d ms at most", senders.mostBehindMs());
            }
        }
    }

    private static void overlay(TouchlineServer server, LiveAddress stream, String page)
            throws Exception {
        server.call(
                "PUT",
                "/live/v1/live-streams/" + stream.id() + "/generated-watermark",
                """
                {"type": "html", "url": "%s",
                 "overlay_settings": {"width": "50%%", "height": "20%%"}}
                """
                        .formatted(page));
    }

    /** Submits more jobs than can be done in the time. */
    private static void submit(TouchlineServer server, LocalSite site, int requests)
            throws Exception {
        String storage =
                server.post(
                                "/vodencoding/v1/add_storage",
                                "{\"type\": \"file\", \"bucket\": \"bench\", \"notify\": \"%s\"}"
                                        .formatted(site.address("/done")))
                        .path("storage_id")
                        .asText();
        String output = "{\"format\": \"mp4\", \"height\": 480, \"video_bitrate\": 1000000}";
        String outputs = String.join(",", Collections.nCopies(OUTPUTS, output));
        for (int request = 0; request < requests; request++) {
            server.call(
                    "POST",
                    "/vodencoding/v1/tasks",
                    "{\"storage_id\": \"%s\", \"input\": \"%s\", \"outputs\": [%s]}"
                            .formatted(storage, site.address("/input.mp4"), outputs));
        }
    }

    private static void row(Report.Table table, String name, Count from, Count to) {
        double seconds = (to.atNs() - from.atNs()) / 1e9;
        table.row(
                name,
                Math.round(seconds * CameraSource.FRAMES_PER_SECOND * STREAMS),
                Math.round(to.frames() - from.frames()),
                Math.round(to.dropped() - from.dropped()),
                to.jobs() - from.jobs());
    }

    /** The scoreboard's page, the input of jobs, and a receiver of notifications. */
    private static LocalSite site(Path input) throws IOException {
        return new LocalSite()
                .page("/page", "text/html", PAGE)
                .page("/done", "application/json", "{\"ack\": true}")
                .page("/input.mp4", "video/mp4", Files.readAllBytes(input));
    }
}
