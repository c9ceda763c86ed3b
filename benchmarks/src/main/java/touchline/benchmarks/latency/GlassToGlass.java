package touchline.benchmarks.latency;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.LiveEdge;
import touchline.benchmarks.load.LocalSite;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;
import touchline.overlay.page.Browser;
import touchline.overlay.page.BrowserLaunch;
import touchline.overlay.page.BrowserPage;

/**
 * From the push of a frame to the moment it is seen in hls.js in headless Chromium. The page reads
 * the frame's number five times a second. It has another origin than the stream, so that CORS
 * applies.
 */
final class GlassToGlass {
    private static final Duration START_LIMIT = Duration.ofSeconds(30);
    private static final long SENDER_ROUND_MS = 2;

    /** Seconds of media before the viewer starts, as in a running match. */
    private static final Duration BEFORE = Duration.ofSeconds(8);

    /** Share of the play time at its beginning that does not count, up to a maximum. */
    private static final double SKIPPED_SHARE = 1 / 3.0;

    private static final double MOST_SKIPPED_MS = 20_000;

    /** The end of the player's start. */
    private static final double AT_FIRST_MS = 2000;

    private final Report report;

    GlassToGlass(Report report) {
        this.report = report;
    }

    void run(Duration time) throws Exception {
        BrowserLaunch launch = BrowserLaunch.ofPlayers();
        report.note("glass to glass: encoding the numbered frames");
        PushMedia media = CameraSource.NUMBERED.media(time.plus(BEFORE).toSeconds() + 60);
        report.note("glass to glass: %d s in hls.js", time.toSeconds());
        try (TouchlineServer server = TouchlineServer.start();
                LocalSite site = site()) {
            List<LiveAddress> streams = server.streams(1, "low");
            try (Senders senders = Senders.start(streams, media, SENDER_ROUND_MS);
                    Browser browser = Browser.start(launch);
                    BrowserPage player = browser.openPage()) {
                LiveEdge.open(streams.getFirst().watch(), START_LIMIT).close();
                long sinceStartNs = System.nanoTime() - senders.startNs();
                TimeUnit.NANOSECONDS.sleep(BEFORE.toNanos() - sinceStartNs);
                double startMs = senders.startEpochMs() + media.firstFrameMs();
                player.navigate(address(site, streams.getFirst(), startMs));
                player.await("window.found && window.found.firstMs !== null", START_LIMIT);
                machineLoad();
                Thread.sleep(time);
                JsonNode result = player.evaluate("window.result()");
                senders.requireAlive();
                add(time, browser.version(), result);
            }
        }
    }

    private static LocalSite site() throws IOException {
        return new LocalSite()
                .page("/", "text/html; charset=utf-8", resource("/latency/player.html"))
                .page(
                        "/hls.mjs",
                        "text/javascript; charset=utf-8",
                        resource("/console/vendor/hls.min.mjs"));
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream from = GlassToGlass.class.getResourceAsStream(name)) {
            if (from == null) {
                throw new FileNotFoundException(name + " is not on the class path");
            }
            return from.readAllBytes();
        }
    }

    /**
     * @param startMs push of frame 0, by the wall clock
     */
    private static String address(LocalSite site, LiveAddress stream, double startMs) {
        return site.address("/?address=%s&start=%s&fps=%d&loop=%d")
                .formatted(
                        URLEncoder.encode(stream.watch().toString(), StandardCharsets.UTF_8),
                        startMs,
                        CameraSource.FRAMES_PER_SECOND,
                        CameraSource.NUMBERED.seconds() * CameraSource.FRAMES_PER_SECOND);
    }

    private void add(Duration time, String browser, JsonNode result) {
        Samples ages = new Samples();
        Samples atFirst = new Samples();
        double skippedMs = Math.min(MOST_SKIPPED_MS, time.toMillis() * SKIPPED_SHARE);
        for (JsonNode sample : result.path("ages")) {
            if (sample.path(0).asDouble() < AT_FIRST_MS) {
                atFirst.add(sample.path(1).asDouble());
            }
            if (sample.path(0).asDouble() >= skippedMs) {
                ages.add(sample.path(1).asDouble());
            }
        }
        report.table(
                        "glass_to_glass",
                        "player | seconds | samples | at first s | median s | p95 s | most s"
                                + " | stalls | waiting events | dropped frames | of | playback rate"
                                + " | target s | machine busy %")
                .row(
                        "hls.js " + result.path("version").asText() + ", " + browser,
                        time.toSeconds(),
                        ages.count(),
                        atFirst.median(),
                        ages.median(),
                        ages.percentile(95),
                        ages.max(),
                        result.path("stalls").asInt(),
                        result.path("waits").asInt(),
                        result.path("dropped").asInt(),
                        result.path("total").asInt(),
                        rate(result),
                        result.path("target").asDouble(),
                        machineLoad() * 100);
        for (JsonNode error : result.path("errors")) {
            report.note("hls.js: %s", error.asText());
        }
    }

    /**
     * Share of all cores in use since the last call, 0 to 1. A player that gets too little CPU time
     * plays slower than the clock and falls behind, so a run on a busy machine is not valid.
     */
    private static double machineLoad() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getCpuLoad()
                : Double.NaN;
    }

    private static String rate(JsonNode result) {
        return String.format(
                Locale.ROOT,
                "%.3f (%.2f to %.2f)",
                result.path("rateMean").asDouble(),
                result.path("rateLeast").asDouble(),
                result.path("rateMost").asDouble());
    }
}
