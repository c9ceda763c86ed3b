package touchline.benchmarks.overlay;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import touchline.config.OverlayConfig;
import touchline.config.PageLimits;
import touchline.media.net.AddressRules;
import touchline.overlay.page.BrowserLaunch;
import touchline.overlay.page.ChromiumRenderer;

/** Web pages for benchmarks on a free port of this machine, and a browser for them. */
final class BenchPages implements AutoCloseable {
    static final String CHANGING = "/changing";
    static final String STILL = "/still";

    /**
     * As {@link BarcodeReader} reads it: the low bits of the wall clock, drawn 25 times a second.
     */
    private static final String CHANGING_PAGE =
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

    private static final String STILL_PAGE =
            """
            <!doctype html><body style="margin:0;font:60px sans-serif;color:white">
            <div style="background:rgba(0,0,80,.7);padding:20px">HOME 2 : 1 AWAY</div>
            """;

    private final HttpServer server;

    BenchPages() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
        serve(CHANGING, CHANGING_PAGE);
        serve(STILL, STILL_PAGE);
        server.start();
    }

    private void serve(String path, String page) {
        byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
        server.createContext(
                path,
                exchange -> {
                    exchange.getResponseHeaders().set("Content-Type", "text/html");
                    exchange.sendResponseHeaders(200, bytes.length);
                    exchange.getResponseBody().write(bytes);
                    exchange.close();
                });
    }

    String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    /** As the server has it, for pages of this machine; the caller closes it. */
    ChromiumRenderer renderer() {
        OverlayConfig config =
                new OverlayConfig(
                        BrowserLaunch.Kind.HEADLESS_SHELL.installed().map(Object::toString),
                        /* allowNoSandbox= */ true,
                        "nobody",
                        /* maxCompositors= */ 0,
                        new PageLimits(512L << 20, 1000, 256L << 20, 64));
        return new ChromiumRenderer(config, AddressRules.allowing(List.of("127.0.0.1")), Map.of());
    }

    /** The first process of the browser that runs. */
    static ProcessHandle browser() {
        return ProcessHandle.current()
                .children()
                .filter(each -> each.info().command().orElse("").contains("chromium"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no browser runs"));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
