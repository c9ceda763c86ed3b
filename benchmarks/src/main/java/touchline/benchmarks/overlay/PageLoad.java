package touchline.benchmarks.overlay;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.LocalSite;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.config.OverlayConfig;
import touchline.config.PageLimits;
import touchline.media.StreamId;
import touchline.media.net.AddressRules;
import touchline.overlay.HtmlLayer;
import touchline.overlay.OverlaySpec;
import touchline.overlay.Placement;
import touchline.overlay.page.BrowserLaunch;
import touchline.overlay.page.ChromiumRenderer;

/**
 * A web page over 720p30 in real time: the time from a change of the page, 25 times a second, to
 * the first encoded frame with it, and the CPU time of the browser. Then a page without changes.
 */
public final class PageLoad implements Benchmark {
    private static final Duration SETTLE = Duration.ofSeconds(4);

    /** A page of 640x160 in the upper left corner of 1280x720. */
    private static final Placement BOX =
            new Placement(
                    new Placement.Axis(50, Placement.Align.START, 0),
                    new Placement.Axis(100 * 160 / 720.0, Placement.Align.START, 0),
                    /* opacityPercent= */ 100);

    /** Draws the low bits of the wall clock for {@link BarcodeReader}, 25 times a second. */
    private static final String CHANGING =
            """
            <!doctype html><body style="margin:0"><canvas id=c width=640 height=160></canvas><script>
            const g = c.getContext('2d');
            setInterval(() => {
              const now = Date.now();
              for (let i = 0; i < 20; i++) {
                g.fillStyle = now / 2 ** i & 1 ? 'white' : 'black';
                g.fillRect(i * 32, 0, 32, 160);
              }
            }, 40);
            </script>
            """;

    private static final String STILL =
            """
            <!doctype html><body style="margin:0;font:60px sans-serif;color:white">
            <div style="background:rgba(0,0,80,.7);padding:20px">HOME 2 : 1 AWAY</div>
            """;

    private final int seconds;
    private final Report report;

    /** Seconds of each page, 30 by default. */
    public PageLoad(Arguments given, Report report) {
        seconds = given.number(0, 30);
        this.report = report;
    }

    @Override
    public int run() throws IOException, InterruptedException {
        TestPush push = TestPush.make(1280, 720, TestPush.LOOP_SECONDS);
        try (LocalSite site =
                        new LocalSite()
                                .page("/changing", "text/html", CHANGING)
                                .page("/still", "text/html", STILL);
                ChromiumRenderer pages = renderer()) {
            Shown changing = show(push, pages, site.address("/changing"));
            Samples delays = changing.seen().delaysMs();
            report.table(
                            "changes",
                            "seconds | states a second | change to frame ms, median | p95 | most"
                                    + " | dropped | browser % of a core")
                    .row(
                            seconds,
                            delays.count() / (double) seconds,
                            delays.median(),
                            delays.percentile(95),
                            delays.max(),
                            changing.result().counters().dropped(),
                            changing.browserPercent());
            Shown still = show(push, pages, site.address("/still"));
            report.table("still", "seconds | dropped | browser % of a core")
                    .row(seconds, still.result().counters().dropped(), still.browserPercent());
        }
        return 0;
    }

    /** A renderer as in the server, for pages of loopback; the caller closes it. */
    private static ChromiumRenderer renderer() {
        OverlayConfig config =
                new OverlayConfig(
                        BrowserLaunch.Kind.HEADLESS_SHELL.installed().map(Object::toString),
                        /* allowNoSandbox= */ true,
                        "nobody",
                        /* maxCompositors= */ 0,
                        new PageLimits(512L << 20, 1000, 256L << 20, 64));
        return new ChromiumRenderer(config, AddressRules.allowing(List.of("127.0.0.1")), Map.of());
    }

    private record Shown(CompositorRun.Result result, BarcodeReader seen, double browserPercent) {}

    private Shown show(TestPush push, ChromiumRenderer pages, String url)
            throws IOException, InterruptedException {
        report.note("%s for %d s", url, seconds);
        CountDownLatch loaded = new CountDownLatch(1);
        BarcodeReader seen = new BarcodeReader();
        try (HtmlLayer layer = layer(pages, url, loaded)) {
            CompositorRun run = new CompositorRun(push, layer, seen::arrived);
            BrowserTime browser = new BrowserTime(loaded, seen);
            Thread measuring = Thread.ofPlatform().name("browser-time").start(browser);
            CompositorRun.Result result =
                    run.inRealTime(SETTLE.multipliedBy(2).plusSeconds(seconds));
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

    /** Measures CPU time of the browser and enables the reader, some seconds after the load. */
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
                ProcessHandle browser = browser();
                double before = ProcessUsage.of(browser).cpuSeconds();
                seen.keep(true);
                Thread.sleep(Duration.ofSeconds(seconds));
                seen.keep(false);
                usedSeconds = ProcessUsage.of(browser).cpuSeconds() - before;
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            } catch (IOException e) {
                report.note("browser: %s", e);
            }
        }

        /** The first process of the browser. */
        private static ProcessHandle browser() {
            return ProcessHandle.current()
                    .children()
                    .filter(each -> each.info().command().orElse("").contains("chromium"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no browser process"));
        }

        double percent() {
            return 100 * usedSeconds / seconds;
        }
    }
}
