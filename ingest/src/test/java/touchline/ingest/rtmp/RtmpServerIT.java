package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.ingest.rtmp.Encoder.num;
import static touchline.ingest.rtmp.Encoder.object;
import static touchline.ingest.rtmp.Encoder.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.config.RtmpConfig;
import touchline.config.TlsConfig;
import touchline.ingest.amf.AmfValue;
import touchline.media.StreamId;
import touchline.media.hub.LiveStreams;
import touchline.media.tls.CurrentCertificate;

/** The server on real sockets. */
class RtmpServerIT {
    private static final StreamId STREAM = new StreamId("str_it");
    private static final String KEY = "it-key";
    private static final TlsConfig NO_TLS =
            new TlsConfig(OptionalInt.empty(), Optional.empty(), Optional.empty());

    private static final int RECONNECTS = 100;
    private static final Pattern PUBLISH_CODE = Pattern.compile("NetStream\\.Publish\\.(\\w+)\\W");

    private final FakeGate gate = new FakeGate().main(KEY, STREAM);
    private final SessionCollector collector = new SessionCollector();
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    private final LiveStreams streams = new LiveStreams(InstantSource.system(), timer, collector);
    private final List<RtmpServer> servers = new ArrayList<>();

    @AfterEach
    void close() {
        servers.forEach(RtmpServer::close);
        timer.shutdownNow();
        servers.forEach(server -> assertEquals(0, server.counters().connections()));
        servers.forEach(server -> assertEquals(0, server.counters().publishers()));
    }

    @Test
    void refusal_ofAnEncoderThatKeepsSending_arrives() throws Exception {
        RtmpServer server = start(100, 0, NO_TLS);
        try (Socket socket = connect(server)) {
            socket.getOutputStream().write(RtmpBytes.handshake());
            socket.getInputStream().readNBytes(1 + 2 * RtmpBytes.HANDSHAKE_BYTES);
            socket.getOutputStream()
                    .write(
                            RtmpBytes.join(
                                    RtmpBytes.command(0, "connect", num(1), object("app", "live")),
                                    RtmpBytes.command(
                                            1,
                                            "publish",
                                            num(0),
                                            AmfValue.Absent.NULL,
                                            text("wrong"))));
            CompletableFuture<IOException> refused =
                    CompletableFuture.supplyAsync(() -> sendUntilRefused(socket));

            String answers =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);

            assertTrue(answers.contains("NetStream.Publish.BadName"), answers);
            assertInstanceOf(SocketException.class, refused.get(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void connections_aboveTheLimit_areClosedAtAccept() throws Exception {
        RtmpServer server = start(2, 0, NO_TLS);
        try (Socket first = connect(server);
                Socket second = connect(server);
                Socket third = connect(server)) {
            assertTrue(isClosedByServer(third));
            assertFalse(isAnswered(third));
            assertTrue(isAnswered(first));
            assertTrue(isAnswered(second));
        }
        assertEquals(1, server.counters().refused(RtmpCounters.Refusal.CONNECTION_LIMIT));
        assertEquals(2, server.counters().accepted());
    }

    @Test
    void connections_aboveTheLimitOfAnAddress_areClosedAtAccept() throws Exception {
        RtmpServer server = start(100, 1, NO_TLS);
        try (Socket first = connect(server)) {
            assertTrue(isAnswered(first));
            try (Socket second = connect(server);
                    Socket elsewhere =
                            new Socket(
                                    InetAddress.getLoopbackAddress(),
                                    server.port(),
                                    InetAddress.getByAddress(new byte[] {127, 0, 0, 2}),
                                    0)) {
                assertTrue(isClosedByServer(second));
                assertTrue(isAnswered(elsewhere));
            }
        }
        assertEquals(1, server.counters().refused(RtmpCounters.Refusal.ADDRESS_LIMIT));
    }

    @Test
    void close_notifiesThePublisher() throws Exception {
        RtmpServer server = start(100, 0, NO_TLS);
        try (Socket socket = connect(server)) {
            socket.getOutputStream()
                    .write(
                            RtmpBytes.join(
                                    RtmpBytes.handshake(),
                                    RtmpBytes.command(0, "connect", num(1), object("app", "live")),
                                    RtmpBytes.command(
                                            1, "publish", num(0), AmfValue.Absent.NULL, text(KEY)),
                                    RtmpBytes.video(0, RtmpBytes.AVC_HEADER),
                                    RtmpBytes.audio(0, RtmpBytes.AAC_HEADER),
                                    RtmpBytes.video(0, RtmpBytes.KEY_FRAME)));
            collector.started();

            server.close();

            String answers =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertTrue(answers.contains("NetStream.Publish.Start"));
            assertTrue(answers.contains("NetStream.Unpublish.Success"));
        }
        assertEquals(1, SessionCollector.timelines(collector.collected()).size());
    }

    /**
     * An encoder that crashes and restarts at once: the old connection ends by a reset or a FIN.
     */
    @Test
    void encoder_thatReturnsWithinMilliseconds_isNeverRefused() throws Exception {
        RtmpServer server = start(1_000, 0, NO_TLS);
        for (int i = 0; i < RECONNECTS; i++) {
            try (Socket socket = connect(server)) {
                socket.getOutputStream()
                        .write(
                                RtmpBytes.join(
                                        RtmpBytes.handshake(),
                                        RtmpBytes.command(
                                                0, "connect", num(1), object("app", "live")),
                                        RtmpBytes.command(
                                                1,
                                                "publish",
                                                num(0),
                                                AmfValue.Absent.NULL,
                                                text(KEY)),
                                        RtmpBytes.video(0, RtmpBytes.AVC_HEADER),
                                        RtmpBytes.audio(0, RtmpBytes.AAC_HEADER),
                                        RtmpBytes.video(0, RtmpBytes.KEY_FRAME)));
                assertEquals("Start", publishAnswer(socket.getInputStream()), "try " + i);
                if (i % 2 == 0) {
                    socket.setSoLinger(true, 0);
                }
            }
        }
        assertEquals(0, server.counters().refused(RtmpCounters.Refusal.BUSY));
    }

    /** The last word of the first {@code NetStream.Publish} code. */
    private static String publishAnswer(InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        Matcher code = PUBLISH_CODE.matcher(text);
        while (!code.reset().find()) {
            int next = in.read();
            if (next < 0) {
                throw new AssertionError("closed without an answer to publish: " + text);
            }
            text.append((char) next);
        }
        return code.group(1);
    }

    @Test
    void portInUse_isSaid() {
        RtmpServer server = start(100, 0, NO_TLS);
        RtmpServer second =
                new RtmpServer(
                        config(server.port(), 100, 0),
                        OptionalInt.empty(),
                        Optional.empty(),
                        gate,
                        streams,
                        _ -> false);

        var refused = assertThrows(UncheckedIOException.class, second::start);

        assertTrue(refused.toString().contains(":" + server.port()), refused.toString());
    }

    private RtmpServer start(int maxConnections, int maxPerAddress, TlsConfig tls) {
        RtmpServer server =
                new RtmpServer(
                        config(0, maxConnections, maxPerAddress),
                        tls.rtmpsPort(),
                        CurrentCertificate.ofFiles(tls.cert(), tls.key()),
                        gate,
                        streams,
                        _ -> false);
        servers.add(server);
        server.start();
        return server;
    }

    private static RtmpConfig config(int port, int maxConnections, int maxPerAddress) {
        return new RtmpConfig(
                "127.0.0.1",
                port,
                4 << 20,
                maxConnections,
                maxPerAddress,
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                Duration.ofSeconds(15),
                Duration.ofSeconds(30));
    }

    private static Socket connect(RtmpServer server) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(30_000);
        return socket;
    }

    private static IOException sendUntilRefused(Socket socket) {
        byte[] media = RtmpBytes.message(6, 9, 1, 0, new byte[100]);
        long endNs = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        try {
            while (System.nanoTime() < endNs) {
                socket.getOutputStream().write(media);
            }
        } catch (IOException e) {
            return e;
        }
        throw new AssertionError("the server still reads after 30 s");
    }

    private static boolean isAnswered(Socket socket) throws IOException {
        try {
            socket.getOutputStream()
                    .write(Arrays.copyOf(RtmpBytes.handshake(), 1 + RtmpBytes.HANDSHAKE_BYTES));
            return socket.getInputStream().read() == 3;
        } catch (SocketException e) {
            return false;
        }
    }

    private static boolean isClosedByServer(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        try {
            return in.read() < 0;
        } catch (SocketException e) {
            return true;
        }
    }
}
