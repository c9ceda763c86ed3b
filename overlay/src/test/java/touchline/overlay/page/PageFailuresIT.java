package touchline.overlay.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import touchline.config.OverlayConfig;
import touchline.config.PageLimits;
import touchline.overlay.page.BrowserLaunch.Kind;

/** Failures of a page: the renderer reports each with its reason and recovers. */
class PageFailuresIT {
    private static final String GREEN = "<body style='background:rgb(0,255,0)'>";
    private static final String SHOWN = "00ff00ff";
    private static final String LOADED = "/loaded";

    /** Of the tests that leave the browser itself alone. */
    private static ChromiumRenderer shared;

    private PageSite site;
    private PageWitness witness;

    @BeforeAll
    static void start() {
        shared = TestRenderer.of(Kind.HEADLESS_SHELL);
    }

    @AfterAll
    static void stop() {
        shared.close();
    }

    @BeforeEach
    void open() throws Exception {
        site = new PageSite().page("/good", GREEN);
        witness = new PageWitness();
        site.answer(LOADED, whenLoaded(witness));
    }

    @AfterEach
    void close() {
        site.close();
    }

    /** The first request gets the bad page, later ones the good page. */
    private void badOnce(PageSite.Answer bad) {
        site.answer(
                "/",
                exchange -> {
                    if (site.requests().stream().filter("/"::equals).count() == 1) {
                        bad.give(exchange);
                    } else {
                        PageSite.send(exchange, 200, GREEN);
                    }
                });
    }

    /** Answers when the renderer has reported that the page is there. */
    private static PageSite.Answer whenLoaded(PageWitness witness) {
        return exchange -> {
            try {
                witness.awaitEvent("loaded", 1);
                PageSite.send(exchange, 200, "");
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        };
    }

    /** A page whose script runs when the renderer has reported that it is there. */
    private static PageSite.Answer script(String script) {
        return exchange ->
                PageSite.send(
                        exchange,
                        200,
                        "<body><script>addEventListener('load', () => fetch('%s').then(() => { %s }))</script>"
                                .formatted(LOADED, script));
    }

    static Stream<Arguments> badPages() {
        return Stream.of(
                Arguments.of(
                        "404",
                        (PageSite.Answer) exchange -> PageSite.send(exchange, 404, "<p>none"),
                        "its server answered 404"),
                Arguments.of(
                        "redirect to file:",
                        (PageSite.Answer)
                                exchange -> PageSite.redirect(exchange, "file:///etc/hostname"),
                        "neither http nor https"),
                Arguments.of(
                        "redirect inside",
                        (PageSite.Answer)
                                exchange -> PageSite.redirect(exchange, "http://127.0.0.2:8000/"),
                        "127.0.0.2 is refused by the egress rules"),
                Arguments.of(
                        "redirect in a circle",
                        (PageSite.Answer) exchange -> PageSite.redirect(exchange, "/circle"),
                        "it redirects in a circle"),
                Arguments.of(
                        "a download",
                        (PageSite.Answer)
                                exchange -> {
                                    exchange.getResponseHeaders()
                                            .set("Content-Disposition", "attachment");
                                    PageSite.send(exchange, 200, "data");
                                },
                        "it is not a page"),
                Arguments.of("hang", script("for (;;) ;"), "the page hangs"),
                Arguments.of(
                        "memory of scripts",
                        // In pieces: between them the page answers heartbeats, so it does not hang.
                        script(
                                "let all = []; setInterval(() => { for (let i = 0; i < 20; i++)"
                                        + " all.push(new Array(1e5).fill(Math.random())); }, 1)"),
                        "the page crashed"),
                Arguments.of(
                        "away", script("location = '/good'"), "the page went to another address"),
                Arguments.of(
                        "blank", script("location = 'about:blank'"), "went to another address"),
                Arguments.of("popup", script("open('/good')"), "the page opened another window"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badPages")
    void badPage_isReportedWithItsReason_andComesBack(
            String name, PageSite.Answer bad, String reason) throws Exception {
        badOnce(bad);
        site.answer("/circle", exchange -> PageSite.redirect(exchange, "/circle"));
        try (RenderedPage _ = shared.open(TestRenderer.request(site.url("/")), witness)) {
            String failure = witness.awaitFailure();

            assertTrue(failure.contains(reason), name + ": " + failure);
            witness.awaitEvent("recovered", 1);
            witness.awaitShot(shot -> shot.middle().equals(SHOWN));
        }
    }

    @Test
    void pageThatDoesNotLoadInTime_isReported_andComesBack() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        badOnce(
                exchange -> {
                    try {
                        end.await(120, TimeUnit.SECONDS);
                    } catch (InterruptedException _) {
                        Thread.currentThread().interrupt();
                    }
                });
        PageRequest hasty = new PageRequest("s", site.url("/"), 320, 80, Duration.ofSeconds(3));
        try (RenderedPage _ = shared.open(hasty, witness)) {
            assertEquals("failed: it did not load within 3 s", witness.awaitFailure());
            witness.awaitEvent("recovered", 1);
        } finally {
            end.countDown();
        }
    }

    @Test
    void pageThatUsesTooMuchNativeMemory_isEnded_withItsReason() throws Exception {
        badOnce(
                script(
                        "window.all = []; setInterval(() => all.push(new Uint8Array(1e7).fill(1)),"
                                + " 20)"));
        PageLimits limits = new PageLimits(256L << 20, 1000, 256L << 20, 64);
        try (ChromiumRenderer renderer = TestRenderer.of(Kind.HEADLESS_SHELL, limits);
                RenderedPage _ = renderer.open(TestRenderer.request(site.url("/")), witness)) {
            assertEquals(
                    "failed: the page needs more memory than overlay.page-memory",
                    witness.awaitFailure());
            witness.awaitEvent("recovered", 1);
        }
    }

    @Test
    void pageWithBusyWorkers_isEnded_withItsReason() throws Exception {
        badOnce(
                script(
                        "const w = URL.createObjectURL(new Blob(['for (;;) ;']));"
                                + "new Worker(w); new Worker(w)"));
        PageLimits limits = new PageLimits(512L << 20, 10, 256L << 20, 64);
        try (ChromiumRenderer renderer = TestRenderer.of(Kind.HEADLESS_SHELL, limits);
                RenderedPage _ = renderer.open(TestRenderer.request(site.url("/")), witness)) {
            assertEquals(
                    "failed: the page needs more of the processor than overlay.page-cpu-percent",
                    witness.awaitFailure());
            witness.awaitEvent("recovered", 1);
        }
    }

    @ParameterizedTest
    @MethodSource("hopeless")
    void addressThatCannotBeShown_isReportedOnce_howeverOftenItIsTried(String url, String reason)
            throws Exception {
        try (RenderedPage page = shared.open(TestRenderer.request(url), witness)) {
            assertTrue(witness.awaitFailure().contains(reason), witness.events()::toString);
            page.reload();
            PageWitness other = new PageWitness();
            try (RenderedPage _ = shared.open(TestRenderer.request(site.url("/good")), other)) {
                other.awaitEvent("loaded", 1);
            }
            assertEquals(1, witness.events().size(), witness.events()::toString);
        }
    }

    static Stream<Arguments> hopeless() {
        return Stream.of(
                Arguments.of("file:///etc/hostname", "neither http nor https"),
                Arguments.of("chrome://version", "neither http nor https"),
                Arguments.of("data:text/html,x", "neither http nor https"),
                Arguments.of("http://127.0.0.2/", "127.0.0.2 is refused by the egress rules"),
                Arguments.of("https://127.0.0.2/", "127.0.0.2 is refused by the egress rules"),
                Arguments.of("http://nowhere.invalid/", "nowhere.invalid does not resolve"));
    }

    @Test
    void browserThatIsKilledRepeatedly_isReplacedEachTime() throws Exception {
        site.page("/", GREEN);
        try (ChromiumRenderer renderer = TestRenderer.of(Kind.HEADLESS_SHELL);
                RenderedPage _ = renderer.open(TestRenderer.request(site.url("/")), witness)) {
            witness.awaitEvent("loaded", 1);
            for (int i = 1; i <= 5; i++) {
                renderer.browserProcess().orElseThrow().destroyForcibly();
                witness.awaitEvent("recovered", i);
            }
            assertTrue(witness.awaitFailure().contains("the browser"), witness.events()::toString);
            assertEquals(6, renderer.browserStarts());
            assertEquals(5, renderer.browserCrashes());
        }
    }

    @Test
    void browserThatIsStopped_isReplaced() throws Exception {
        site.page("/", GREEN);
        try (ChromiumRenderer renderer = TestRenderer.of(Kind.HEADLESS_SHELL);
                RenderedPage _ = renderer.open(TestRenderer.request(site.url("/")), witness)) {
            witness.awaitEvent("loaded", 1);
            long pid = renderer.browserProcess().orElseThrow().pid();
            new ProcessBuilder("kill", "-STOP", String.valueOf(pid)).start().waitFor();

            witness.awaitEvent("recovered", 1);
        }
    }

    @Test
    void pageThatFails_doesNotAffectOtherPages() throws Exception {
        site.page("/", ChromiumRendererIT.BARCODE.formatted("setInterval(draw, 100)"));
        site.answer("/hangs", script("for (;;) ;"));
        try (RenderedPage _ = shared.open(TestRenderer.request(site.url("/")), witness)) {
            witness.awaitEvent("frame", 3);
            PageWitness hanging = new PageWitness();
            site.answer(LOADED, whenLoaded(hanging));
            try (RenderedPage _ = shared.open(TestRenderer.request(site.url("/hangs")), hanging)) {
                assertEquals("failed: the page hangs", hanging.awaitFailure());
                // The last frame is shown for at most five seconds of silence.
                long silentMs = hanging.silentNs() / 1_000_000;
                assertTrue(silentMs >= 3_000, "silent for " + silentMs + " ms");
            }
            int before = witness.shots().size();
            witness.awaitEvent("frame", before + 10);
            assertEquals(
                    List.of(),
                    witness.events().stream().filter(each -> each.startsWith("failed")).toList());
        }
    }

    @Test
    void hostWithoutChromium_reportsWhatToInstall() throws Exception {
        OverlayConfig config =
                new OverlayConfig(
                        Optional.of("/nowhere/chromium"), false, "nobody", 0, TestRenderer.LIMITS);
        try (ChromiumRenderer renderer =
                        new ChromiumRenderer(config, TestRenderer.rules(), Map.of());
                RenderedPage _ = renderer.open(TestRenderer.request(site.url("/good")), witness)) {
            String failure = witness.awaitFailure();
            assertTrue(failure.contains("apt-get install -y chromium-headless-shell"), failure);
            assertEquals("failed: " + renderer.unavailable().orElseThrow(), failure);
        }
    }

    @Test
    void pageWhoseThreadMeetsAnUnexpectedException_isReportedAsFailed() throws Exception {
        OverlayConfig config =
                new OverlayConfig(
                        Optional.of("/no\0where"), false, "nobody", 0, TestRenderer.LIMITS);
        try (ChromiumRenderer renderer =
                        new ChromiumRenderer(config, TestRenderer.rules(), Map.of());
                RenderedPage _ = renderer.open(TestRenderer.request(site.url("/good")), witness)) {
            String failure = witness.awaitFailure();
            assertTrue(failure.contains("InvalidPathException"), failure);
        }
    }

    @Test
    void listenerThatThrowsAnError_isCalledAgain() throws Exception {
        PageListener failing =
                new PageListener() {
                    @Override
                    public void loaded() {
                        witness.loaded();
                        throw new AssertionError("thrown by the test");
                    }

                    @Override
                    public void failed(String reason, long silentNs) {
                        witness.failed(reason, silentNs);
                    }

                    @Override
                    public void recovered() {
                        witness.recovered();
                    }

                    @Override
                    public void frame(PageFrame frame) {
                        witness.frame(frame);
                    }
                };
        try (RenderedPage _ = shared.open(TestRenderer.request(site.url("/good")), failing)) {
            witness.awaitEvent("loaded", 1);
            witness.awaitShot(shot -> shot.middle().equals(SHOWN));
        }
    }
}
