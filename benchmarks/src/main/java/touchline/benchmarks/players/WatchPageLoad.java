package touchline.benchmarks.players;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.TouchlineServer;
import touchline.overlay.page.Browser;
import touchline.overlay.page.BrowserLaunch;
import touchline.overlay.page.BrowserPage;

/**
 * How soon the watch page shows its first frame, from the start of the navigation: in a browser
 * that has never seen it, and with the page's files in the browser's cache. Fails where the median
 * with the cache is more than a second.
 */
public final class WatchPageLoad implements Benchmark {
    private static final double MAX_WARM_MS = 1_000;
    private static final Duration BEFORE = Duration.ofSeconds(20);
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final long MEDIA_S = 300;

    /** Milliseconds from the start of the navigation to the frame that is shown next. */
    private static final String FIRST_FRAME =
            """
            new Promise((shown) => {
              const look = () => {
                const video = document.querySelector('video');
                if (video) {
                  video.requestVideoFrameCallback(shown);
                } else {
                  setTimeout(look);
                }
              };
              look();
            })""";

    private final int loads;
    private final Report report;
    private final Report.Table table;
    private boolean failed;

    /** Loads of each page with a warm cache, 10 by default. */
    public WatchPageLoad(Arguments given, Report report) {
        loads = given.number(0, 10);
        this.report = report;
        table =
                report.table(
                        "watch",
                        "page | loads | first frame ms, empty cache | warm cache, median | most");
    }

    @Override
    public int run() throws Exception {
        report.note("encoding the numbered frames");
        EncodedStream.Media media = EncodedStream.Media.of(MEDIA_S);
        try (TouchlineServer server = TouchlineServer.startFromClassPath();
                EncodedStream low = EncodedStream.start(server, "low", media);
                EncodedStream standard = EncodedStream.start(server, "standard", media)) {
            standard.awaitMedia(BEFORE);
            measure("live, low", low.watch());
            measure("live, standard", standard.watch());
            low.requireAlive();
            standard.requireAlive();
            measure("recording", low.finishedAsset());
        }
        return failed ? 1 : 0;
    }

    /**
     * @param playlist of the same playback id
     */
    private void measure(String what, URI playlist) throws IOException, InterruptedException {
        String address = playlist.toString().replaceFirst("\\.m3u8$", "");
        try (Browser browser = browser();
                BrowserPage page = browser.openPage()) {
            double coldMs = firstFrameMs(page, address);
            Samples warmMs = new Samples();
            for (int i = 0; i < loads; i++) {
                warmMs.add(firstFrameMs(page, address));
            }
            table.row(what, loads, coldMs, warmMs.median(), warmMs.max());
            failed |= warmMs.median() > MAX_WARM_MS;
        }
    }

    private static double firstFrameMs(BrowserPage page, String address)
            throws InterruptedException {
        page.navigate("about:blank");
        page.await("location.href === 'about:blank'", SOON);
        page.navigate(address);
        page.await("location.href === '" + address + "'", SOON);
        return page.evaluate(FIRST_FRAME).asDouble();
    }

    private static Browser browser() throws IOException, InterruptedException {
        return Browser.start(BrowserLaunch.ofPlayers());
    }
}
