package touchline.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.config.OverlayConfig;
import touchline.config.PageLimits;
import touchline.media.AccessUnit;
import touchline.media.StreamId;
import touchline.media.net.AddressRules;
import touchline.overlay.page.BrowserLaunch.Kind;
import touchline.overlay.page.ChromiumRenderer;

/** Kills the browser repeatedly while frames are composed. */
@Timeout(600)
final class BrowserKilledIT {
    /** The property sets more of them: 20 for a release. */
    private static final int KILLS = Integer.getInteger("touchline.test.kills", 3);

    /** Frames arrive every 40 ms; waiting for a page would take longer. */
    private static final long STALL_NS = 2_000_000_000L;

    private static final String PAGE =
            """
            <body style="margin:0"><script>
            let n = 0;
            setInterval(() => {
              n = (n + 1) % 200; document.body.style.background = `rgb(255, ${n}, 0)`; }, 40);
            </script>
            """;

    private final List<String> events = new CopyOnWriteArrayList<>();

    private final class RecordingListener implements HtmlLayer.Listener {
        @Override
        public void loaded() {
            events.add("loaded");
        }

        @Override
        public void failed(String reason) {
            events.add("failed: " + reason);
        }

        @Override
        public void recovered() {
            events.add("recovered");
        }
    }

    @Test
    void browserKilled_losesNoFrame_isReported_andComesBack() throws Exception {
        HttpServer site = site();
        String url = "http://127.0.0.1:" + site.getAddress().getPort() + "/";
        // A frozen clock: no frame is dropped because the test machine is slow.
        try (LiveRig live = new LiveRig(() -> 0);
                ChromiumRenderer pages = renderer();
                HtmlLayer layer = layer(url, pages)) {
            Rig rig = live.rig;
            rig.compositor().layers(List.of(layer));
            for (int kill = 0; kill < KILLS; kill++) {
                String last = kill == 0 ? "loaded" : "recovered";
                int count = 2 * kill + 1;
                rig.await(
                        () -> events.size() == count && events.getLast().equals(last),
                        last + events);
                assertTrue(rig.silentNs() < STALL_NS, "the frame stands still");
                // It is visible again.
                long blended = rig.counters.blended();
                rig.await(() -> rig.counters.blended() > blended + 10, "the page in the frame");
                browser().destroyForcibly();
            }
            rig.await(() -> events.size() == 2 * KILLS + 1, KILLS + " recoveries; " + events);
            live.end();

            assertEquals(0, rig.counters.dropped(), "left out");
            assertEquals(live.sent(), rig.frames().size());
            assertEquals(times(live.sent()), rig.frames().stream().map(AccessUnit::ptsUs).toList());
            assertEquals(List.of(), rig.events);
            for (int i = 1; i < events.size(); i += 2) {
                assertTrue(
                        events.get(i).startsWith("failed: the browser has ended"),
                        events::toString);
                assertEquals("recovered", events.get(i + 1));
            }
        } finally {
            site.stop(0);
        }
    }

    private static List<Long> times(int count) {
        return LongStream.range(0, count).map(i -> i * Studio.FRAME_MS * 1_000).boxed().toList();
    }

    private HtmlLayer layer(String url, ChromiumRenderer pages) {
        Placement.Axis half = new Placement.Axis(50, Placement.Align.START, 0);
        return new HtmlLayer(
                new StreamId("str_test"),
                new OverlaySpec.Html(
                        url,
                        Duration.ofSeconds(20),
                        new Placement(half, half, /* opacityPercent= */ 100)),
                pages,
                new RecordingListener(),
                System::nanoTime);
    }

    private static ChromiumRenderer renderer() {
        OverlayConfig config =
                new OverlayConfig(
                        Kind.HEADLESS_SHELL.installed().map(Object::toString),
                        /* allowNoSandbox= */ true,
                        "nobody",
                        /* maxCompositors= */ 0,
                        new PageLimits(512L << 20, 1000, 256L << 20, 64));
        return new ChromiumRenderer(config, AddressRules.allowing(List.of("127.0.0.1")), Map.of());
    }

    private static HttpServer site() throws Exception {
        HttpServer site =
                HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
        site.createContext(
                "/",
                exchange -> {
                    byte[] page = PAGE.getBytes(StandardCharsets.UTF_8);
                    exchange.getResponseHeaders().set("Content-Type", "text/html");
                    exchange.sendResponseHeaders(200, page.length);
                    exchange.getResponseBody().write(page);
                    exchange.close();
                });
        site.start();
        return site;
    }

    /** The first process of the browser. */
    private static ProcessHandle browser() {
        return ProcessHandle.current()
                .children()
                .filter(each -> each.info().command().orElse("").contains("chromium"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no browser runs"));
    }
}
