package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import touchline.packager.hls.LivePlayback.PlaylistKind;
import touchline.packager.hls.MediaBody;
import touchline.testing.Await;
import touchline.testing.SelfSigned;

/** TLS and HTTP/2 of the playback plane over real sockets. */
class Http2IT {
    private static final int FILE_BYTES = 1_000_000;

    private final NettyMediaMemory memory = new NettyMediaMemory();
    private final byte[] media = new byte[600_000];
    private final byte[] stored = new byte[FILE_BYTES];
    private final FakePlayback session = new FakePlayback("ses", memory);

    @TempDir Path folder;
    private SelfSigned certificate;
    private SSLContext trusting;

    @BeforeEach
    void fill() throws Exception {
        certificate = SelfSigned.make(folder);
        trusting = certificate.client();
        Random random = new Random(5);
        random.nextBytes(media);
        random.nextBytes(stored);
        Path file = Files.write(folder.resolve("f"), stored);
        session.playlistText(PlaylistKind.WINDOW, 1, "#EXTM3U\n".repeat(100))
                .blocks(
                        "s1",
                        Arrays.copyOfRange(media, 0, 200_001),
                        Arrays.copyOfRange(media, 200_001, 600_000))
                .blocks("s1.0", Arrays.copyOfRange(media, 0, 60_000))
                .file("s2", new MediaBody.FileRange(file, 17, FILE_BYTES - 20L))
                .file("s3", ServerBench.inPieces(file, 17, FILE_BYTES - 20L));
    }

    @AfterEach
    void free() {
        session.close();
        assertEquals(0, memory.usedBytes());
    }

    private ServerBench bench(DeliveryLimits limits) throws IOException {
        return bench(limits, PlaybackTls.of(Optional.of(certificate.shown())).orElseThrow());
    }

    private ServerBench bench(DeliveryLimits limits, PlaybackTls tls) throws IOException {
        return new ServerBench(Viewer.showing(session), limits, Optional.of(tls));
    }

    private HttpClient client(HttpClient.Version version) {
        return HttpClient.newBuilder().version(version).sslContext(trusting).build();
    }

    private static HttpRequest request(ServerBench bench, String target) {
        return HttpRequest.newBuilder(
                        URI.create("https://localhost:" + bench.server.port() + target))
                .build();
    }

    @ParameterizedTest
    @EnumSource(
            value = SslProvider.class,
            names = {"JDK", "OPENSSL"})
    void media_byBothProtocolsAndProviders_isByteExact(SslProvider provider) throws Exception {
        assertTrue(OpenSsl.isAvailable(), () -> String.valueOf(OpenSsl.unavailabilityCause()));
        ServerBench bench =
                bench(ServerBench.patient(), PlaybackTls.of(certificate.shown(), provider));
        byte[] range = Arrays.copyOfRange(stored, 17, FILE_BYTES - 3);
        for (HttpClient.Version version : HttpClient.Version.values()) {
            if (version == HttpClient.Version.HTTP_1_1 || version == HttpClient.Version.HTTP_2) {
                try (HttpClient client = client(version)) {
                    for (int i = 0; i < 3; i++) {
                        assertArrayEquals(media, body(client, bench, "/id/ses/s1.m4s", version));
                        assertArrayEquals(range, body(client, bench, "/id/ses/s2.m4s", version));
                        assertArrayEquals(range, body(client, bench, "/id/ses/s3.m4s", version));
                    }
                }
            }
        }
        assertEquals(9, bench.counters.requests(DeliveryCounters.Protocol.HTTP_1));
        assertEquals(9, bench.counters.requests(DeliveryCounters.Protocol.HTTP_2));
        bench.leavesNothing(memory, session);
    }

    private static byte[] body(
            HttpClient client, ServerBench bench, String target, HttpClient.Version version)
            throws IOException, InterruptedException {
        HttpResponse<byte[]> answer =
                client.send(request(bench, target), HttpResponse.BodyHandlers.ofByteArray());
        assertEquals(version, answer.version());
        assertEquals(200, answer.statusCode());
        return answer.body();
    }

    @Test
    void streams_manyAtOnce_shareOneConnectionAndAreByteExact() throws Exception {
        ServerBench bench = bench(ServerBench.patient());
        byte[] range = Arrays.copyOfRange(stored, 17, FILE_BYTES - 3);
        try (HttpClient client = client(HttpClient.Version.HTTP_2)) {
            body(client, bench, "/id/ses/s1.0.m4s", HttpClient.Version.HTTP_2);
            List<CompletableFuture<HttpResponse<byte[]>>> held = new ArrayList<>();
            List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                held.add(start(client, bench, "/id/ses/media.m3u8?_HLS_msn=5"));
                answers.add(start(client, bench, "/id/ses/s1.m4s"));
                answers.add(start(client, bench, "/id/ses/s2.m4s"));
            }
            for (int i = 0; i < answers.size(); i += 2) {
                assertArrayEquals(media, answers.get(i).join().body());
                assertArrayEquals(range, answers.get(i + 1).join().body());
            }
            Await.until(() -> bench.counters.blockedNow() == 20, "reloads are held");
            assertEquals(1, bench.counters.openConnections());
            session.reached(5, OptionalInt.empty(), true);
            for (CompletableFuture<HttpResponse<byte[]>> each : held) {
                assertEquals(800, each.join().body().length);
            }
        }
        bench.leavesNothing(memory, session);
    }

    private static CompletableFuture<HttpResponse<byte[]>> start(
            HttpClient client, ServerBench bench, String target) {
        return client.sendAsync(request(bench, target), HttpResponse.BodyHandlers.ofByteArray());
    }

    @Test
    void session_ofAnEarlierConnection_isResumed() throws Exception {
        ServerBench bench = bench(ServerBench.patient());
        for (String protocol : List.of("TLSv1.2", "TLSv1.3")) {
            long first = handshake(bench, protocol).getCreationTime();
            Await.until(() -> System.currentTimeMillis() > first, "another time");
            assertEquals(first, handshake(bench, protocol).getCreationTime(), protocol);
        }
        bench.leavesNothing(memory, session);
    }

    private SSLSession handshake(ServerBench bench, String protocol) throws IOException {
        try (SSLSocket socket = connect(bench, "http/1.1")) {
            socket.setEnabledProtocols(new String[] {protocol});
            ServerBench.send(socket, ServerBench.get("/id/ses/s1.0.m4s"));
            // tickets of TLS 1.3 come with the answer
            assertTrue(ServerBench.answer(socket.getInputStream()).startsWith("HTTP/1.1 200 "));
            return socket.getSession();
        }
    }

    private SSLSocket connect(ServerBench bench, String alpn) throws IOException {
        SSLSocket socket =
                (SSLSocket)
                        trusting.getSocketFactory()
                                .createSocket(
                                        bench.connect(4096),
                                        "localhost",
                                        bench.server.port(),
                                        /* autoClose= */ true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {alpn});
        socket.setSSLParameters(parameters);
        return socket;
    }

    @Test
    void handshake_silentOrNoTls_isClosedInTimeAndCounted() throws Exception {
        Duration soon = Duration.ofMillis(300);
        DeliveryLimits patient = ServerBench.patient();
        ServerBench bench =
                bench(
                        new DeliveryLimits(
                                patient.idle(),
                                soon,
                                patient.blocked(),
                                patient.work(),
                                patient.stall(),
                                1,
                                patient.hold(),
                                patient.linger()));
        try (Socket silent = bench.connect(0);
                Socket plain = bench.connect(0)) {
            ServerBench.send(plain, ServerBench.get("/id.m3u8"));
            ServerBench.untilEnd(plain.getInputStream());
            assertEquals("", ServerBench.untilEnd(silent.getInputStream()));
        }
        Await.until(() -> bench.counters.failedHandshakes() == 2, "both are counted");
        bench.leavesNothing(memory, session);
    }

    @Test
    void connections_thatReadNothing_areCutAndHoldNothing() throws Exception {
        ServerBench bench = bench(ServerBench.impatient(Duration.ofMillis(400)));
        List<SSLSocket> sockets = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            SSLSocket socket = connect(bench, "h2");
            sockets.add(socket);
            // windows wide open, and the client does not read from the socket
            byte[] hello =
                    Http2Frames.concat(
                            Http2Frames.preface(Http2Frames.INITIAL_WINDOW_SIZE, Integer.MAX_VALUE),
                            Http2Frames.windowUpdate(0, 1 << 30));
            socket.getOutputStream().write(hello);
            for (int stream = 1; stream < 200; stream += 2) {
                String target = stream % 4 == 1 ? "/id/ses/s1.m4s" : "/id/ses/s2.m4s";
                socket.getOutputStream().write(Http2Frames.get(stream, target));
            }
        }
        Await.until(
                () -> bench.counters.requests(DeliveryCounters.Protocol.HTTP_2) == 1000,
                "all are asked");
        Await.until(() -> bench.counters.openConnections() == 0, "all are closed");
        for (SSLSocket socket : sockets) {
            socket.close();
        }
        bench.leavesNothing(memory, session);
    }

    @Test
    void close_heldStreams_areAnsweredAndEndInTime() throws Exception {
        ServerBench bench = bench(ServerBench.patient());
        try (SSLSocket socket = connect(bench, "h2");
                InputStream in = socket.getInputStream()) {
            socket.getOutputStream()
                    .write(
                            Http2Frames.concat(
                                    Http2Frames.preface(),
                                    Http2Frames.get(1, "/id/ses/media.m3u8?_HLS_msn=5")));
            Await.until(() -> bench.counters.blockedNow() == 1, "one is held");
            long begin = System.nanoTime();
            bench.close();
            assertTrue(System.nanoTime() - begin < 6_000_000_000L);
            Http2Frames frames = new Http2Frames();
            List<Http2Frames.Frame> came = frames.receive(in.readAllBytes());
            assertTrue(came.stream().anyMatch(f -> f.type() == Http2Frames.GOAWAY));
            Http2Frames.Frame head =
                    came.stream()
                            .filter(f -> f.type() == Http2Frames.HEADERS)
                            .findFirst()
                            .orElseThrow();
            assertEquals("503", frames.headers(head).status().toString());
        }
        bench.leavesNothing(memory, session);
    }
}
