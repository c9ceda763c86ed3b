package touchline.overlay.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import touchline.overlay.page.BrowserLaunch.Kind;

/** Pages as a compositor receives them, from both builds of Chromium. */
class ChromiumRendererIT {
    /** Draws a number as sixteen bars; {@code draw()} increments it. */
    static final String BARCODE =
            """
            <body style="margin:0"><canvas id=c width=320 height=80></canvas><script>
            let g = c.getContext('2d'); n = 0;
            draw = () => { n++; g.clearRect(0, 0, 320, 80); for (let i = 0; i < 16; i++) {
              g.fillStyle = n >> i & 1 ? 'white' : 'black'; g.fillRect(i * 20, 0, 20, 40); } };
            %s
            </script>
            """;

    private static final Map<Kind, ChromiumRenderer> RENDERERS = new EnumMap<>(Kind.class);

    private PageSite site;

    /** One of each kind for all tests. */
    private static ChromiumRenderer renderer(Kind kind) {
        return RENDERERS.computeIfAbsent(kind, TestRenderer::of);
    }

    @AfterAll
    static void stop() {
        RENDERERS.values().forEach(ChromiumRenderer::close);
    }

    @BeforeEach
    void open() throws Exception {
        site = new PageSite();
    }

    @AfterEach
    void close() {
        site.close();
    }

    @ParameterizedTest
    @EnumSource
    void halfTransparentRed_arrivesPremultiplied_andStaysTransparentBesides(Kind kind)
            throws Exception {
        site.page(
                "/",
                "<body style='margin:0'><div style='margin-left:160px;width:80px;height:80px;"
                        + "background:rgba(255,0,0,.5)'></div>");
        PageWitness witness = new PageWitness();
        try (RenderedPage _ = renderer(kind).open(TestRenderer.request(site.url("/")), witness)) {
            PageWitness.Shot shot = witness.awaitShot(each -> !each.middle().equals("00000000"));

            assertEquals("80000080", shot.middle());
            assertEquals(List.of(320, 80), List.of(shot.width(), shot.height()));
            assertEquals(List.of("loaded", "frame"), witness.events().subList(0, 2));
            assertEquals(new PixelBox(0, 0, 320, 80), witness.shots().getFirst().changed());
        }
    }

    @ParameterizedTest
    @EnumSource
    void pageThatChanges25TimesASecond_isSeenAsOften_andItsLastChangeIsNotLost(Kind kind)
            throws Exception {
        site.page(
                "/",
                BARCODE.formatted(
                        "let t = setInterval(() => { draw(); if (n >= 100) clearInterval(t) },"
                                + " 40)"));
        PageWitness witness = new PageWitness();
        try (RenderedPage _ = renderer(kind).open(TestRenderer.request(site.url("/")), witness)) {
            witness.awaitShot(shot -> shot.barcode() == 100);

            long seen =
                    witness.shots().stream().mapToInt(PageWitness.Shot::barcode).distinct().count();
            // 24.5 per second on an idle machine; less under load.
            assertTrue(seen >= 20, "states seen of 100: " + seen);
            assertEquals(320, witness.shots().getFirst().changed().width());
            PixelBox box = witness.shots().getLast().changed();
            assertTrue(box.height() == 40 && box.width() < 320, box::toString);
        }
    }

    @ParameterizedTest
    @EnumSource
    void staticPage_givesOneFrame_andEachChangeOne(Kind kind) throws Exception {
        site.page(
                "/",
                BARCODE.formatted(
                        "draw(); addEventListener('message', draw);"
                                + "let s = new EventSource('/changes'); s.onmessage = draw;"));
        site.answer(
                "/changes",
                exchange -> {
                    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
                    exchange.sendResponseHeaders(200, 0);
                    for (int i = 0; i < 3; i++) {
                        pause(Duration.ofMillis(500));
                        exchange.getResponseBody()
                                .write("data: x\n\n".getBytes(StandardCharsets.UTF_8));
                        exchange.getResponseBody().flush();
                    }
                    pause(Duration.ofSeconds(60));
                });
        PageWitness witness = new PageWitness();
        try (RenderedPage _ = renderer(kind).open(TestRenderer.request(site.url("/")), witness)) {
            witness.awaitShot(shot -> shot.barcode() == 4);

            assertEquals(
                    List.of(1, 2, 3, 4),
                    witness.shots().stream().map(PageWitness.Shot::barcode).toList());
        }
    }

    @Test
    void touchlineObject_hasStreamAndTimes_andThePageIsVisible() throws Exception {
        site.page(
                "/",
                """
                <body><script>
                setInterval(() => {
                  const t = window.touchline;
                  const good = t.streamId === 'stream-1' && Math.abs(t.wallClockMs - Date.now()) < 50
                      && t.mediaTimeMs >= 5000 && t.mediaTimeMs < 25000
                      && document.visibilityState === 'visible' && document.hasFocus()
                      && innerWidth === 320 && innerHeight === 80;
                  document.body.style.background = good ? 'rgb(0,255,0)' : 'rgb(255,0,0)';
                }, 20);
                </script>
                """);
        PageWitness witness = new PageWitness();
        try (RenderedPage page =
                renderer(Kind.HEADLESS_SHELL).open(TestRenderer.request(site.url("/")), witness)) {
            witness.awaitShot(shot -> shot.middle().equals("ff0000ff"));
            page.mediaTimeUs(5_000_000);

            witness.awaitShot(shot -> shot.middle().equals("00ff00ff"));
        }
    }

    @Test
    void reload_fetchesAnew_withoutAFailure() throws Exception {
        site.answer(
                "/",
                exchange ->
                        PageSite.send(
                                exchange,
                                200,
                                "<body style='background:rgb(0,0,%d)'>"
                                        .formatted(site.requests().size())));
        PageWitness witness = new PageWitness();
        try (RenderedPage page =
                renderer(Kind.HEADLESS_SHELL).open(TestRenderer.request(site.url("/")), witness)) {
            String first = witness.awaitShot(shot -> shot.middle().endsWith("ff")).middle();
            page.reload();
            witness.awaitShot(shot -> !shot.middle().equals(first) && shot.middle().endsWith("ff"));

            assertEquals(
                    List.of("loaded"),
                    witness.events().stream().filter(each -> !each.equals("frame")).toList());
        }
    }

    private static void pause(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
