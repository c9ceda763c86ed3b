package touchline.benchmarks.overlay;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.media.StreamId;
import touchline.overlay.HtmlLayer;
import touchline.overlay.OverlaySpec;
import touchline.overlay.Placement;
import touchline.overlay.page.ChromiumRenderer;

/**
 * A web page over 720p30 in real time: how long it takes from a change of the page, 25 times a
 * second, to the first encoded frame that shows it; and what the browser costs then, and while the
 * page rests.
 */
public final class PageLoad {
    private static final Duration SETTLE = Duration.ofSeconds(4);

    /** A page of 640x160 in the upper left corner of 1280x720. */
    private static final Placement BOX =
            new Placement(
                    new Placement.Axis(50, Placement.Align.START, 0),
                    new Placement.Axis(100 * 160 / 720.0, Placement.Align.START, 0),
                    /* opacityPercent= */ 100);

    /**
     * @param seconds of each page
     */
    public record Plan(int seconds) {
        /** Seconds of each page, 30 unless given. */
        public static Plan of(Arguments given) {
            return new Plan(given.number(0, 30));
        }
    }

    private final Plan plan;
    private final Report report;

    public PageLoad(Plan plan, Report report) {
        this.plan = plan;
        this.report = report;
    }

    /** The exit code: 0 when everything was measured. */
    public int run(Path results) throws IOException, InterruptedException {
        TestPush push = TestPush.make(1280, 720, TestPush.LOOP_SECONDS);
        try (BenchPages site = new BenchPages();
                ChromiumRenderer pages = site.renderer()) {
            Shown changing = show(push, pages, site.url(BenchPages.CHANGING));
            Samples delays = changing.seen().delaysMs();
            report.table(
                    "changes",
                    List.of(
                            "seconds",
                            "states a second",
                            "change to frame ms, median",
                            "p95",
                            "most",
                            "left out",
                            "browser % of a core"),
                    List.of(
                            List.of(
                                    plan.seconds(),
                                    delays.count() / (double) plan.seconds(),
                                    delays.median(),
                                    delays.percentile(95),
                                    delays.max(),
                                    changing.result().counters().dropped(),
                                    changing.browserPercent())));
            Shown still = show(push, pages, site.url(BenchPages.STILL));
            report.table(
                    "still",
                    List.of("seconds", "left out", "browser % of a core"),
                    List.of(
                            List.of(
                                    plan.seconds(),
                                    still.result().counters().dropped(),
                                    still.browserPercent())));
        }
        report.finish(results);
        return 0;
    }

    private record Shown(CompositorRun.Result result, BarcodeReader seen, double browserPercent) {}

    private Shown show(TestPush push, ChromiumRenderer pages, String url)
            throws IOException, InterruptedException {
        report.note("%s for %d s", url, plan.seconds());
        CountDownLatch loaded = new CountDownLatch(1);
        BarcodeReader seen = new BarcodeReader();
        try (HtmlLayer layer = layer(pages, url, loaded)) {
            CompositorRun run = new CompositorRun(push, layer, seen::came);
            BrowserTime browser = new BrowserTime(loaded, seen);
            Thread measuring = Thread.ofPlatform().name("browser-time").start(browser);
            CompositorRun.Result result =
                    run.inRealTime(SETTLE.multipliedBy(2).plusSeconds(plan.seconds()));
            measuring.join();
            seen.decode();
            return new Shown(result, seen, browser.percent());
        }
    }

    private static HtmlLayer layer(ChromiumRenderer pages, String url, CountDownLatch loaded) {
        return new HtmlLayer(
                new StreamId("bench"),
                new OverlaySpec.Html(url, Duration.ofSeconds(10), BOX),
                pages,
                new HtmlLayer.Listener() {
                    @Override
                    public void loaded() {
                        loaded.countDown();
                    }

                    @Override
                    public void failed(String reason) {
                        throw new IllegalStateException(reason);
                    }

                    @Override
                    public void recovered() {}
                },
                System::nanoTime);
    }

    /** CPU time of the browser's processes, and what is seen, from some seconds after the load. */
    private final class BrowserTime implements Runnable {
        private final CountDownLatch loaded;
        private final BarcodeReader seen;
        private double usedSeconds = Double.NaN;

        BrowserTime(CountDownLatch loaded, BarcodeReader seen) {
            this.loaded = loaded;
            this.seen = seen;
        }

        @Override
        public void run() {
            try {
                if (!loaded.await(10, TimeUnit.SECONDS)) {
                    return;
                }
                Thread.sleep(SETTLE);
                ProcessHandle browser = BenchPages.browser();
                double before = ProcessUsage.of(browser).cpuSeconds();
                seen.keep(true);
                Thread.sleep(Duration.ofSeconds(plan.seconds()));
                seen.keep(false);
                usedSeconds = ProcessUsage.of(browser).cpuSeconds() - before;
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            } catch (IOException e) {
                report.note("browser: %s", e);
            }
        }

        double percent() {
            return 100 * usedSeconds / plan.seconds();
        }
    }
}
