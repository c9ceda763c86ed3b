package touchline.api.egress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import touchline.api.egress.EgressException.Kind;
import touchline.media.net.AddressRules;

/** The outgoing client against receivers that misbehave, and addresses that change. */
final class EgressIT {
    private static final EgressLimits LIMITS =
            new EgressLimits(Duration.ofSeconds(10), Duration.ofSeconds(20), 1_000);
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final InetAddress PUBLIC = InetAddress.ofLiteral("8.8.8.8");
    private static final byte[] BODY = "{\"a\": 1}".getBytes(UTF_8);

    private final RawReceiver receiver = new RawReceiver(RawReceiver.status(200));
    private final Egress egress = egress("127.0.0.0/8");

    @AfterEach
    void close() {
        egress.close();
        receiver.close();
    }

    private static Egress egress(String... allowed) {
        return new Egress(AddressRules.allowing(List.of(allowed)));
    }

    private EgressAnswer post(URI url) throws EgressException {
        return egress.post(url, Map.of("X-Test", "yes"), BODY, LIMITS);
    }

    private static Kind kind(Executable call) {
        return assertThrows(EgressException.class, call).kind();
    }

    @Test
    void post_toAnAllowedAddress_sendsHeadAndBody() throws Exception {
        receiver.behave(
                (_, out) -> {
                    RawReceiver.write(out, RawReceiver.head(201, 5, "X-Answer: 42") + "hello");
                    return true;
                });

        EgressAnswer answer = post(receiver.url("/hook?x=1"));

        RawReceiver.Request request = receiver.requests().getFirst();
        assertEquals("POST /hook?x=1 HTTP/1.1", request.line());
        assertEquals("yes", request.header("X-Test"));
        assertEquals("127.0.0.1:" + receiver.port(), request.header("Host"));
        assertEquals("{\"a\": 1}", request.body());
        assertEquals(201, answer.status());
        assertTrue(answer.isSuccess());
        assertEquals(Optional.of("42"), answer.header("x-answer"));
        assertEquals("hello", answer.bodyText());
        assertFalse(answer.cut());
    }

    @Test
    void post_again_usesTheSameConnection() throws Exception {
        post(receiver.url("/1"));
        post(receiver.url("/2"));

        assertEquals(1, receiver.connections());
        assertEquals(2, receiver.requests().size());
    }

    @Test
    void post_overAConnectionThatWasClosedMeanwhile_isSentOverAnother() throws Exception {
        AtomicInteger answered = new AtomicInteger();
        receiver.behave(
                (_, out) -> {
                    // The second request finds a closed connection.
                    if (answered.incrementAndGet() != 2) {
                        RawReceiver.write(out, RawReceiver.head(200, 0));
                        return true;
                    }
                    return false;
                });

        post(receiver.url("/1"));
        assertTrue(post(receiver.url("/2")).isSuccess());
        assertEquals(2, receiver.connections());
    }

    @Test
    void post_toARefusedAddress_doesNotConnect() {
        try (Egress guarded = egress()) {
            for (String host : List.of("127.0.0.1", "localhost", "[::1]")) {
                URI url = URI.create("https://" + host + ":" + receiver.port() + "/");
                assertEquals(
                        Kind.REFUSED, kind(() -> guarded.post(url, Map.of(), BODY, LIMITS)), host);
            }
            // Not every host knows the name with its dot.
            URI dotted = URI.create("https://localhost.:" + receiver.port() + "/");
            Kind kind = kind(() -> guarded.post(dotted, Map.of(), BODY, LIMITS));
            assertTrue(kind == Kind.REFUSED || kind == Kind.UNRESOLVED, kind::name);
        }
        assertEquals(0, receiver.connections());
    }

    @Test
    void post_overPlainHttp_onlyWhereTheOperatorNamesTheAddress() {
        Egress open =
                new Egress(new AddressGuard(new AddressRules(List.of()), _ -> List.of(PUBLIC)));
        try (open) {
            assertEquals(
                    Kind.REFUSED,
                    kind(
                            () ->
                                    open.post(
                                            URI.create("http://receiver.test/"),
                                            Map.of(),
                                            BODY,
                                            LIMITS)));
        }
    }

    @Test
    void name_thatLeadsElsewhereBetweenCheckAndConnect_isRefusedAtTheConnection() {
        AtomicInteger asked = new AtomicInteger();
        AddressGuard guard =
                new AddressGuard(
                        new AddressRules(List.of()),
                        _ -> List.of(asked.getAndIncrement() == 0 ? PUBLIC : LOOPBACK));
        try (Egress rebound = new Egress(guard)) {
            String url = "https://rebind.test:" + receiver.port() + "/";

            assertEquals(Optional.empty(), rebound.urls().receiverRefusal(url));
            assertEquals(
                    Kind.REFUSED,
                    kind(() -> rebound.post(URI.create(url), Map.of(), BODY, LIMITS)));
            assertEquals(2, asked.get());
        }
        assertEquals(0, receiver.connections());
    }

    @Test
    void name_withOnePublicAndOneInnerAddress_isRefused() {
        AddressGuard guard =
                new AddressGuard(new AddressRules(List.of()), _ -> List.of(PUBLIC, LOOPBACK));
        try (Egress mixed = new Egress(guard)) {
            URI url = URI.create("https://mixed.test:" + receiver.port() + "/");
            assertEquals(Kind.REFUSED, kind(() -> mixed.post(url, Map.of(), BODY, LIMITS)));
        }
        assertEquals(0, receiver.connections());
    }

    @Test
    void name_thatDoesNotResolve_hasItsOwnFailure() {
        URI url = URI.create("https://does-not-exist.invalid/");
        assertEquals(Kind.UNRESOLVED, kind(() -> egress.post(url, Map.of(), BODY, LIMITS)));
    }

    @Test
    void proxies_ofTheEnvironment_areIgnored() throws Exception {
        System.setProperty("http.proxyHost", "127.0.0.1");
        System.setProperty("http.proxyPort", "1");
        System.setProperty("http.nonProxyHosts", "");
        try (Egress fresh = egress("127.0.0.0/8")) {
            assertTrue(fresh.post(receiver.url("/"), Map.of(), BODY, LIMITS).isSuccess());
            assertEquals("POST / HTTP/1.1", receiver.requests().getFirst().line());
        } finally {
            List.of("http.proxyHost", "http.proxyPort", "http.nonProxyHosts")
                    .forEach(System::clearProperty);
        }
    }

    @Test
    void redirect_ofAPost_isTheAnswer() throws Exception {
        receiver.behave(RawReceiver.status(301, "Location: http://127.0.0.1:1/"));

        assertEquals(301, post(receiver.url("/")).status());
        assertEquals(1, receiver.requests().size());
    }

    @Test
    void answer_withoutEnd_isReadAsFarAsTheLimit() throws Exception {
        receiver.behave(
                (_, out) -> {
                    RawReceiver.write(out, "HTTP/1.1 200 OK\r\n\r\n");
                    while (true) {
                        out.write(new byte[4_096]);
                    }
                });

        EgressAnswer answer = post(receiver.url("/"));

        assertEquals(200, answer.status());
        assertEquals(1_000, answer.bodyText().length());
        assertTrue(answer.cut());
    }

    @Test
    void answer_withAnEndlessHead_isGivenUp() {
        receiver.behave(
                (_, out) -> {
                    RawReceiver.write(out, "HTTP/1.1 200 OK\r\nX: ");
                    while (true) {
                        out.write('x');
                    }
                });
        assertEquals(Kind.TOO_LARGE, kind(() -> post(receiver.url("/"))));

        receiver.behave(
                (_, out) -> {
                    RawReceiver.write(out, "HTTP/1.1 200 OK\r\n");
                    while (true) {
                        RawReceiver.write(out, "X: y\r\n");
                    }
                });
        assertEquals(Kind.TOO_LARGE, kind(() -> post(receiver.url("/"))));
    }

    @Test
    void answer_thatEndsInTheMiddle_isBroken() {
        receiver.behave(
                (_, out) -> {
                    RawReceiver.write(out, RawReceiver.head(200, 100) + "half");
                    return false;
                });
        assertEquals(Kind.BROKEN, kind(() -> post(receiver.url("/"))));
    }

    @Test
    void answer_thatNeverComes_endsByTheLimitOnSilence() {
        receiver.behave((_, _) -> receiver.never());
        EgressLimits limits =
                new EgressLimits(Duration.ofMillis(200), Duration.ofSeconds(20), 1_000);
        assertEquals(
                Kind.TIMEOUT, kind(() -> egress.post(receiver.url("/"), Map.of(), BODY, limits)));
    }

    @Test
    void answer_thatTricklesIn_endsByTheLimitOnTheWhole() {
        receiver.behave(
                (_, out) -> {
                    RawReceiver.write(out, RawReceiver.head(200, 900));
                    trickle(out);
                    return false;
                });
        EgressLimits limits =
                new EgressLimits(Duration.ofSeconds(10), Duration.ofMillis(400), 1_000);
        assertEquals(
                Kind.TIMEOUT, kind(() -> egress.post(receiver.url("/"), Map.of(), BODY, limits)));
    }

    private static void trickle(OutputStream out) throws IOException {
        try {
            for (int i = 0; i < 899; i++) {
                RawReceiver.write(out, ".");
                Thread.sleep(20);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void port_withoutListener_isUnreachable() throws IOException {
        // Bound, so that no other test listens there, and not listening.
        try (Socket bound = new Socket()) {
            bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            URI url = URI.create("http://127.0.0.1:" + bound.getLocalPort() + "/");
            assertEquals(Kind.UNREACHABLE, kind(() -> egress.post(url, Map.of(), BODY, LIMITS)));
        }
    }

    @Test
    void tls_toAPlainPort_hasItsOwnFailure() {
        URI url = URI.create("https://127.0.0.1:" + receiver.port() + "/");
        receiver.behave(RawReceiver.status(200));
        assertEquals(Kind.TLS, kind(() -> egress.post(url, Map.of(), BODY, LIMITS)));
    }

    @Test
    void awsRequest_goesThroughTheSameChecks() throws Exception {
        receiver.behave(
                (_, out) -> {
                    RawReceiver.write(out, RawReceiver.head(200, 4, "ETag: \"e\"") + "done");
                    return true;
                });
        SdkHttpClient aws = egress.forAws(LIMITS);

        HttpExecuteResponse response = aws.prepareRequest(upload(receiver.url("/bucket/k"))).call();

        assertEquals(200, response.httpResponse().statusCode());
        assertEquals(Optional.of("\"e\""), response.httpResponse().firstMatchingHeader("ETag"));
        try (var body = response.responseBody().orElseThrow()) {
            assertEquals("done", new String(body.readAllBytes(), UTF_8));
        }
        RawReceiver.Request request = receiver.requests().getFirst();
        assertEquals("PUT /bucket/k HTTP/1.1", request.line());
        assertEquals("payload", request.body());
        assertEquals("signed", request.header("Authorization"));
        try (Egress guarded = egress()) {
            SdkHttpClient refusing = guarded.forAws(LIMITS);
            assertEquals(
                    Kind.REFUSED,
                    kind(() -> refusing.prepareRequest(upload(receiver.url("/"))).call()));
        }
    }

    private static HttpExecuteRequest upload(URI url) {
        return HttpExecuteRequest.builder()
                .request(
                        SdkHttpRequest.builder()
                                .method(SdkHttpMethod.PUT)
                                .uri(url)
                                .putHeader("Authorization", "signed")
                                .putHeader("Content-Length", "7")
                                .build())
                .contentStreamProvider(() -> new ByteArrayInputStream("payload".getBytes(UTF_8)))
                .build();
    }
}
