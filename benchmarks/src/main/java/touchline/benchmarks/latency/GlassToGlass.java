package touchline.benchmarks.latency;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.LiveEdge;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;
import touchline.overlay.page.Browser;
import touchline.overlay.page.BrowserLaunch;
import touchline.overlay.page.BrowserPage;

/**
 * From the push of a frame to the moment it is seen in hls.js in headless Chromium, read from the
 * number in the frame five times a second and not from the server's date-time.
 */
final class GlassToGlass {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final long SENDER_ROUND_MS = 2;

    /** Seconds of media before the viewer comes, as into a running match. */
    private static final Duration BEFORE = Duration.ofSeconds(8);

    /** Of the play time, and at most so much, the beginning does not count. */
    private static final double SKIPPED_SHARE = 1 / 3.0;

    private static final double MOST_SKIPPED_MS = 20_000;

    /** How far behind live the player begins. */
    private static final double AT_FIRST_MS = 2000;

    private final Path launcher;
    private final Report report;

    GlassToGlass(Path launcher, Report report) {
        this.launcher = launcher;
        this.report = report;
    }

    void run(Duration time) throws Exception {
        Path binary =
                BrowserLaunch.Kind.CHROMIUM
                        .installed()
                        .orElseThrow(() -> new IOException("chromium is not installed"));
        BrowserLaunch launch =
                BrowserLaunch.of(binary)
                        .withoutSandbox()
                        .with("--autoplay-policy=no-user-gesture-required");
        report.note("glass to glass: encoding the numbered frames");
        long seconds = time.plus(BEFORE).toSeconds() + 60;
        int loops = (int) (seconds / NumberedFrames.LOOP_SECONDS + 1);
        PushMedia media = PushMedia.of(NumberedFrames.encode(), loops, /* messageStreamId= */ 1);
        report.note("glass to glass: %d s in hls.js", time.toSeconds());
        try (TouchlineServer server = TouchlineServer.start(launcher, List.of("low"));
                Senders senders = Senders.start(server.streams(), media, SENDER_ROUND_MS);
                PlayerPage page = PlayerPage.serve();
                Browser browser = Browser.start(launch);
                BrowserPage player = browser.openPage()) {
            var stream = server.streams().getFirst().watch();
            LiveEdge.open(stream, SOON).close();
            long sinceStartNs = System.nanoTime() - senders.startNs();
            TimeUnit.NANOSECONDS.sleep(Math.max(0, BEFORE.toNanos() - sinceStartNs));
            int loopFrames = NumberedFrames.LOOP_SECONDS * NumberedFrames.FRAMES_PER_SECOND;
            player.navigate(page.address(stream, senders.startEpochMs(), loopFrames));
            player.await("window.found && window.found.firstMs !== null", SOON);
            machineLoad();
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
            JsonNode result = player.evaluate("window.result()");
            if (!senders.dead().isEmpty()) {
                throw new IOException("the encoder was lost: " + senders.dead());
            }
            add(time, browser.version(), result);
        }
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
                List.of(
                        "player",
                        "seconds",
                        "samples",
                        "at first s",
                        "median s",
                        "p95 s",
                        "most s",
                        "stalls",
                        "waiting events",
                        "dropped frames",
                        "of",
                        "playback rate",
                        "target s",
                        "machine busy %"),
                List.of(
                        List.of(
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
                                machineLoad() * 100)));
        for (JsonNode error : result.path("errors")) {
            report.note("hls.js: %s", error.asText());
        }
    }

    /**
     * Of all cores since the last call, 0 to 1. A player without its share of a core plays slower
     * than the clock and falls behind, whatever the server does: such a run says little.
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
