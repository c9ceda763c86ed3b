package touchline.overlay.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import touchline.media.net.AddressRules;
import touchline.overlay.page.BrowserLaunch.Kind;

/**
 * A page that tries every known way to reach forbidden targets: other loopback addresses by TCP and
 * UDP, and the metadata address of clouds.
 */
class HostilePageIT {
    private static final String PAGE = "hostile.html";

    /** Everything that arrives at a listener. */
    private final List<String> arrived = new CopyOnWriteArrayList<>();

    @ParameterizedTest
    @EnumSource
    void page_tryingEveryWay_reachesNothingInside(Kind kind) throws Exception {
        try (ServerSocket tcp = new ServerSocket();
                ServerSocket tcp6 = new ServerSocket()) {
            tcp.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.2"), 0));
            InetSocketAddress inside =
                    new InetSocketAddress(tcp.getInetAddress(), tcp.getLocalPort());
            tcp6.bind(new InetSocketAddress(InetAddress.ofLiteral("::1"), inside.getPort()));
            try (DatagramSocket udp = new DatagramSocket(inside);
                    PageSite site = site(inside)) {
                Thread.ofVirtual().start(() -> accept(tcp));
                Thread.ofVirtual().start(() -> accept(tcp6));
                Thread.ofVirtual().start(() -> receive(udp));
                try (Socket probe = new Socket(inside.getAddress(), inside.getPort())) {
                    probe.getOutputStream().write("probe\n".getBytes(UTF_8));
                }
                attack(kind, site);
            }
        }
        // The probe has shown that the listeners work.
        assertEquals(List.of("tcp probe"), arrived);
    }

    private void attack(Kind kind, PageSite site) throws InterruptedException {
        HostLookup lookup =
                host -> {
                    if (host.equals("inside.test")) {
                        return List.of(InetAddress.ofLiteral("127.0.0.2"));
                    }
                    throw new UnknownHostException(host);
                };
        FilteringProxy.Dependencies ways =
                new FilteringProxy.Dependencies(
                        AddressRules.allowing(List.of("127.0.0.1")), lookup, Map.of());
        PageWitness witness = new PageWitness();
        try (ChromiumRenderer renderer =
                        new ChromiumRenderer(TestRenderer.config(kind, TestRenderer.LIMITS), ways);
                RenderedPage page = renderer.open(TestRenderer.request(site.url("/")), witness)) {
            // The last attempts end the page; it comes back as a harmless page.
            witness.awaitFailure();
            witness.awaitEvent("recovered", 1);

            List<String> requests = site.requests();
            assertTrue(
                    requests.contains("/proof") && requests.contains("/done"), requests::toString);
            ChromiumPage shown = (ChromiumPage) page;
            for (String host : List.of("127.0.0.2", "::1", "169.254.169.254", "inside.test")) {
                assertTrue(
                        shown.problem(host).orElse("not requested").contains("egress rules"),
                        () -> host + ": " + shown.problem(host));
            }
        }
    }

    private static PageSite site(InetSocketAddress inside) throws IOException {
        String page;
        try (InputStream in =
                Objects.requireNonNull(HostilePageIT.class.getResourceAsStream(PAGE))) {
            page = new String(in.readAllBytes(), UTF_8);
        }
        String hostile =
                page.replace(
                                "{{inside}}",
                                inside.getAddress().getHostAddress() + ":" + inside.getPort())
                        .replace("{{port}}", String.valueOf(inside.getPort()));
        PageSite site = new PageSite();
        site.answer("/redirect", exchange -> PageSite.redirect(exchange, target(exchange)));
        site.page("/proof", "");
        site.page("/done", "");
        site.answer(
                "/worker.js",
                exchange -> {
                    exchange.getResponseHeaders().set("Content-Type", "text/javascript");
                    byte[] script =
                            "fetch('%s').catch(() => {})"
                                    .formatted(target(exchange))
                                    .getBytes(UTF_8);
                    exchange.sendResponseHeaders(200, script.length);
                    exchange.getResponseBody().write(script);
                    exchange.close();
                });
        site.answer(
                "/",
                exchange ->
                        PageSite.send(
                                exchange,
                                200,
                                site.requests().contains("/done") ? "<p>harmless" : hostile));
        return site;
    }

    private static String target(HttpExchange exchange) {
        return URLDecoder.decode(
                exchange.getRequestURI().getRawQuery().replaceFirst("^to=", ""), UTF_8);
    }

    private void accept(ServerSocket server) {
        while (true) {
            try (Socket socket = server.accept()) {
                socket.setSoTimeout(30_000);
                byte[] head = socket.getInputStream().readNBytes(6);
                arrived.add("tcp " + new String(head, UTF_8).strip());
            } catch (IOException e) {
                if (server.isClosed()) {
                    return;
                }
                arrived.add("tcp without a word: " + e.getMessage());
            }
        }
    }

    private void receive(DatagramSocket socket) {
        DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
        while (!socket.isClosed()) {
            try {
                socket.receive(packet);
                arrived.add("udp of " + packet.getLength() + " bytes");
            } catch (IOException _) {
                return; // The test is over.
            }
        }
    }
}
