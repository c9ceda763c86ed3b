package touchline.benchmarks.wall;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;
import touchline.overlay.page.Browser;
import touchline.overlay.page.BrowserLaunch;
import touchline.overlay.page.BrowserPage;

/**
 * The wall of many live 720p30 streams with meters in a Chromium of 1440x900: processor time of all
 * processes of the browser. Chromium draws without a graphics card here. Then the time from an
 * alert's event to its tone. Fails above a quarter of a core with thumbnails, and above 2 s.
 */
public final class WallLoad implements Benchmark {
    private static final int WIDTH = 1440;
    private static final int HEIGHT = 900;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration SETTLE = Duration.ofSeconds(15);
    private static final double MAX_PERCENT = 25;
    private static final double MAX_HEARD_MS = 2_000;
    private static final int ALERTS = 10;
    private static final Duration SPACING = Duration.ofSeconds(1);

    /** Notes when a tone begins, by the clock of this host. */
    private static final String LISTEN =
            """
            window.tones = [];
            const start = OscillatorNode.prototype.start;
            OscillatorNode.prototype.start = function (...at) {
              window.tones.push(Date.now());
              return start.apply(this, at);
            };
            null""";

    /** Tiles that fit into the window; the others have neither frames nor meters. */
    private static final int ON_SCREEN = 12;

    /** Frames of the wall that were fetched since the count was cleared. */
    private static final String FETCHED =
            "performance.getEntriesByType('resource')"
                    + ".filter((each) => each.name.includes('/thumbnail.jpg')).length";

    private static final String CLEAR =
            "performance.clearResourceTimings(); performance.setResourceTimingBufferSize(10000)";

    private final int streams;
    private final int seconds;
    private final String mode;
    private final Report report;
    private final List<String> ids = new ArrayList<>();

    /** Streams, and seconds that are measured: 12 and 60 by default; {@code --mode players}. */
    public WallLoad(Arguments given, Report report) {
        streams = given.number(0, 12);
        seconds = given.number(1, 60);
        mode = given.option("--mode", "frames");
        this.report = report;
    }

    @Override
    public int run() throws Exception {
        try (TouchlineServer server = TouchlineServer.startFromClassPath();
                Senders senders =
                        Senders.start(
                                create(server),
                                CameraSource.CAMERA.media(seconds + 2 * SOON.toSeconds()));
                Browser browser = browser();
                BrowserPage page = browser.openPage()) {
            page.viewport(WIDTH, HEIGHT);
            open(server, page);
            Thread.sleep(SETTLE);
            page.evaluate(CLEAR);
            double before = ProcessUsage.of(browser.process()).cpuSeconds();
            double serverBefore = ProcessUsage.of(server.process()).cpuSeconds();
            Thread.sleep(Duration.ofSeconds(seconds));
            ProcessUsage after = ProcessUsage.of(browser.process());
            double percent = 100 * (after.cpuSeconds() - before) / seconds;
            double serverPercent =
                    100 * (ProcessUsage.of(server.process()).cpuSeconds() - serverBefore) / seconds;
            int fetched = page.evaluate(FETCHED).asInt();
            senders.requireAlive();
            Files.write(report.folder().resolve("wall-" + mode + ".png"), page.screenshot());
            Samples heard = heard(server, page);
            report.table(
                            "wall",
                            "streams | mode | seconds | browser % of a core | browser MiB | frames"
                                    + " fetched a second | meters | players | server % of a core")
                    .row(
                            streams,
                            mode,
                            seconds,
                            percent,
                            after.residentBytes() >> 20,
                            fetched / (double) seconds,
                            count(page, ".tile-meters:not([hidden])"),
                            count(page, ".tile video"),
                            serverPercent);
            report.table("alerts", "alerts | event to tone ms, median | most")
                    .row(heard.count(), heard.median(), heard.max());
            boolean tooMuch = mode.equals("frames") && percent > MAX_PERCENT;
            return tooMuch || heard.max() > MAX_HEARD_MS ? 1 : 0;
        }
    }

    /** Cuts streams to their standby, and waits for the tone of each alert. */
    private Samples heard(TouchlineServer server, BrowserPage page)
            throws IOException, InterruptedException {
        page.evaluate(LISTEN);
        page.evaluate("document.querySelector('#alert-sound').click()");
        page.await("window.tones.length === 1", SOON);
        Samples delaysMs = new Samples();
        for (int i = 0; i < Math.min(streams, ALERTS); i++) {
            // Behind the pause between two tones.
            Thread.sleep(SPACING);
            page.evaluate("window.tones.length = 0");
            server.call("PUT", "/live/v1/live-streams/" + ids.get(i) + "/standby/on", "");
            page.await("window.tones.length > 0", SOON);
            page.await(
                    "document.querySelector('.alert .name').textContent === 'Standby'"
                            + " && Date.parse(document.querySelector('.alert time').dateTime)"
                            + " <= window.tones[0]",
                    SOON);
            delaysMs.add(
                    page.evaluate(
                                    "window.tones[0]"
                                            + " - Date.parse(document.querySelector('.alert time').dateTime)")
                            .asDouble());
        }
        return delaysMs;
    }

    private List<LiveAddress> create(TouchlineServer server)
            throws IOException, InterruptedException {
        List<LiveAddress> all = new ArrayList<>();
        for (int i = 1; i <= streams; i++) {
            LiveAddress stream =
                    server.stream(
                            ("{\"title\":\"Pitch %d\",\"latency_mode\":\"low\",\"signal_watch\":true,"
                                            + "\"standby\":{\"mode\":\"freeze\"}}")
                                    .formatted(i));
            ids.add(stream.id());
            all.add(stream);
        }
        return all;
    }

    private static Browser browser() throws IOException, InterruptedException {
        return Browser.start(BrowserLaunch.ofPlayers());
    }

    /** Signs in, and waits until the tiles on the screen have frames and meters. */
    private void open(TouchlineServer server, BrowserPage page) throws InterruptedException {
        page.navigate(server.api().resolve("/").toString());
        page.evaluate(
                "sessionStorage.setItem('touchline.token', '"
                        + TouchlineServer.TOKEN
                        + "'); localStorage.setItem('touchline.wall', '"
                        + mode
                        + "')");
        page.navigate(server.api().resolve("/?wall#/control-room").toString());
        page.await(all(".tile-meters:not([hidden])"), SOON);
        if (mode.equals("frames")) {
            page.await(all(".tile-frame > img[src]"), SOON);
        } else {
            page.await(
                    "document.querySelectorAll('.tile video').length > 0"
                            + " && [...document.querySelectorAll('.tile video')]"
                            + ".every((each) => each.currentTime > 0)",
                    SOON);
        }
    }

    private String all(String selector) {
        return "document.querySelectorAll('"
                + selector
                + "').length >= "
                + Math.min(streams, ON_SCREEN);
    }

    private static int count(BrowserPage page, String selector) throws InterruptedException {
        return page.evaluate("document.querySelectorAll('" + selector + "').length").asInt();
    }
}
