package touchline.overlay.page;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.config.PageLimits;
import touchline.media.net.AddressRules;

/** The proxy with hand-written requests and test host names. */
class FilteringProxyIT {
    private static final InetAddress ALLOWED = InetAddress.ofLiteral("127.0.0.1");
    private static final InetAddress REFUSED = InetAddress.ofLiteral("127.0.0.2");

    private final AtomicInteger rebinds = new AtomicInteger();
    private PageSite site;
    private FilteringProxy proxy;

    private final HostLookup lookup =
            host ->
                    switch (host) {
                        case "good.test" -> List.of(ALLOWED);
                        case "inside.test" -> List.of(REFUSED);
                        case "mixed.test" -> List.of(ALLOWED, REFUSED);
                        case "rebinds.test" ->
                                List.of(rebinds.getAndIncrement() == 0 ? ALLOWED : REFUSED);
                        default -> throw new UnknownHostException(host);
                    };

    @BeforeEach
    void open() throws IOException {
        site = new PageSite().page("/", "hello").page("/large", "x".repeat(2 << 20));
        proxy = open(TestRenderer.LIMITS);
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        site.close();
    }

    private FilteringProxy open(PageLimits limits) throws IOException {
        InternalSite internal =
                (streamId, from, to) -> {
                    String line = HttpHead.read(from).orElseThrow().firstLine();
                    String body = streamId + " " + line;
                    to.write(("HTTP/1.1 200 OK\r\n\r\n" + body).getBytes(ISO_8859_1));
                };
        return FilteringProxy.open(
                "stream-1",
                new FilteringProxy.Dependencies(
                        AddressRules.allowing(List.of("127.0.0.1")),
                        lookup,
                        Map.of("site.internal", internal)),
                limits);
    }

    private int port() {
        return Integer.parseInt(site.url("").replaceFirst(".*:", ""));
    }

    private String send(String request) throws IOException {
        try (Socket socket = new Socket(ALLOWED, proxy.port())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    private String get(String host, String path) throws IOException {
        return send("GET http://%s:%d%s HTTP/1.1\r\nHost: x\r\n\r\n".formatted(host, port(), path));
    }

    @Test
    void plainRequest_isForwarded_andTheConnectionEnds() throws IOException {
        String reply = get("good.test", "/");

        assertTrue(reply.startsWith("HTTP/1.1 200"), reply);
        assertTrue(reply.contains("Connection: close"), reply);
        assertTrue(reply.endsWith("hello"), reply);
    }

    @Test
    void tunnel_isBytesBothWays() throws IOException {
        String reply =
                send(
                        "CONNECT good.test:%d HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost: y\r\nConnection: close\r\n\r\n"
                                .formatted(port()));

        assertTrue(
                reply.startsWith("HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 200"), reply);
        assertTrue(reply.endsWith("hello"), reply);
    }

    @Test
    void secondRequest_onAPlainConnection_isNotForwarded() throws IOException {
        send(
                "GET http://good.test:%1$d/ HTTP/1.1\r\n\r\nGET http://good.test:%1$d/second HTTP/1.1\r\n\r\n"
                        .formatted(port()));

        assertEquals(List.of("/"), site.requests());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "inside.test",
                "mixed.test",
                "localhost",
                "127.0.0.2",
                "2130706434",
                "0x7f.2",
                "0177.0.0.2",
                "[::1]",
                "[::ffff:127.0.0.2]",
                "[::ffff:7f00:2]",
                "169.254.169.254",
                "10.0.0.1",
                "100.64.0.1",
                "0.0.0.0",
                "[fe80::1]",
                "[fd00::1]"
            })
    void host_thatMayNotBeReached_isRefused_plainAndAsTunnel(String host) throws IOException {
        assertTrue(get(host, "/").matches("(?s)HTTP/1.1 (403|502).*"), host);
        String tunnel = send("CONNECT %s:%d HTTP/1.1\r\n\r\n".formatted(host, port()));
        assertTrue(tunnel.matches("(?s)HTTP/1.1 (403|502).*"), tunnel);
        assertEquals(List.of(), site.requests());
    }

    @Test
    void name_thatChangesItsAddress_isConnectedToWhatWasChecked() throws IOException {
        assertTrue(get("rebinds.test", "/").endsWith("hello"));
        assertTrue(get("rebinds.test", "/").startsWith("HTTP/1.1 403"));
        assertEquals(2, rebinds.get());
        assertEquals(List.of("/"), site.requests());
    }

    @Test
    void problem_isKeptUntilTheHostIsReached() throws IOException {
        get("inside.test", "/");
        get("nowhere.test", "/");

        assertEquals(
                Optional.of("inside.test is refused by the egress rules (egress.allow)"),
                proxy.problem("inside.test"));
        assertEquals(Optional.of("nowhere.test does not resolve"), proxy.problem("nowhere.test"));
        assertEquals(Optional.empty(), proxy.problem("good.test"));
    }

    @Test
    void internalSite_answersForItsName_plainAndAsTunnel() throws IOException {
        String plain = send("GET http://site.internal/a?b HTTP/1.1\r\n\r\n");
        assertTrue(plain.endsWith("stream-1 GET /a?b HTTP/1.1"), plain);
        String tunnel = send("CONNECT site.internal:80 HTTP/1.1\r\n\r\nGET /c HTTP/1.1\r\n\r\n");
        assertTrue(tunnel.endsWith("stream-1 GET /c HTTP/1.1"), tunnel);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: good.test\r\n\r\n",
                "GET file:///etc/hostname HTTP/1.1\r\n\r\n",
                "GET ftp://good.test/ HTTP/1.1\r\n\r\n",
                "POST http://good.test/ HTTP/1.1\r\nContent-Length: 1, 2\r\n\r\n",
                "POST http://good.test/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "CONNECT good.test:0 HTTP/1.1\r\n\r\n",
                "nonsense\r\n\r\n"
            })
    void request_thatIsNone_isRefused(String request) throws IOException {
        assertTrue(send(request).startsWith("HTTP/1.1 4"), request);
    }

    @Test
    void bytes_aboveTheLimit_endTheConnection_andAreReported() throws Exception {
        try (FilteringProxy tight = open(new PageLimits(512L << 20, 100, 1 << 20, 64))) {
            CountDownLatch exceeded = new CountDownLatch(1);
            tight.onExceeded(exceeded::countDown);
            proxy.close();
            proxy = tight;

            assertTrue(get("good.test", "/large").length() <= (1 << 20) + 1000);
            assertTrue(exceeded.await(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void connections_aboveTheLimit_areRefused() throws IOException {
        try (FilteringProxy tight = open(new PageLimits(512L << 20, 100, 1 << 20, 1));
                Socket first = new Socket(ALLOWED, tight.port())) {
            first.getOutputStream()
                    .write(
                            "CONNECT good.test:%d HTTP/1.1\r\n\r\n"
                                    .formatted(port())
                                    .getBytes(ISO_8859_1));
            assertEquals('H', first.getInputStream().read());
            try (Socket second = new Socket(ALLOWED, tight.port())) {
                second.setSoTimeout(30_000);
                assertEquals(-1, second.getInputStream().read());
            }
        }
    }

    @Test
    void close_endsEveryConnection() throws IOException {
        try (Socket socket = new Socket(ALLOWED, proxy.port())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream()
                    .write(
                            "CONNECT good.test:%d HTTP/1.1\r\n\r\n"
                                    .formatted(port())
                                    .getBytes(ISO_8859_1));
            assertEquals('H', socket.getInputStream().read());
            proxy.close();
            socket.getInputStream().readAllBytes();
        }
    }
}
