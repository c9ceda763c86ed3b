package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.packager.delivery.Http2Frames;

/** Silent and slow clients against a listener with short deadlines. */
final class DeadlinesIT {
    private static final int READ_TIMEOUT_MS = 10_000;
    private static final int PACE_MS = 100;
    private static final ApiDeadlines SHORT =
            new ApiDeadlines(
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(1),
                    Duration.ofMillis(300));

    /**
     * For tests whose subject comes behind handshake and head, however long a busy machine needs.
     */
    private static final ApiDeadlines SHORT_REPLIES =
            new ApiDeadlines(
                    Duration.ofMillis(READ_TIMEOUT_MS),
                    SHORT.body(),
                    SHORT.reply(),
                    SHORT.idle(),
                    SHORT.linger());

    private static final int END_OF_BOTH = Http2Frames.END_STREAM | Http2Frames.END_HEADERS;
    private static final String HEALTH = "GET /observe/health/live HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String AUTHORIZATION = "Authorization: " + ApiFixture.ADMIN + "\r\n";

    private static ApiFixture api;
    private static ApiServer plain;
    private static ApiServer secure;
    private static ApiServer patient;
    private static ApiServer plainPatient;
    private static ApiServer waiting;
    private static SSLContext trusting;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        api = new ApiFixture();
        TestCertificate certificate = TestCertificate.create(folder);
        trusting = certificate.trusting();
        var config = TestConfig.of(false);
        plain = ApiServer.of(config, api.dependencies, Optional.empty(), SHORT);
        plain.start();
        plainPatient = ApiServer.of(config, api.dependencies, Optional.empty(), SHORT_REPLIES);
        plainPatient.start();
        secure = withTls(certificate, SHORT);
        patient = withTls(certificate, SHORT_REPLIES);
        waiting = withTls(certificate, ApiDeadlines.DEFAULT);
    }

    private static ApiServer withTls(TestCertificate certificate, ApiDeadlines deadlines) {
        var config = TestConfig.of(false);
        ApiServer server =
                ApiServer.of(
                        ApiServerIT.with(config, config.api(), certificate.tls()),
                        certificate.shownBy(api.dependencies),
                        Optional.empty(),
                        deadlines);
        server.start();
        return server;
    }

    @AfterAll
    static void stop() {
        plain.close();
        secure.close();
        patient.close();
        plainPatient.close();
        waiting.close();
        api.close();
    }

    @Test
    void silentConnection_isClosed_alsoInTheTlsHandshake() throws IOException {
        for (ApiServer server : List.of(plain, secure)) {
            try (Socket socket = connect(server)) {
                assertTrue(isClosed(socket));
            }
        }
    }

    @Test
    void headInPieces_isClosedAtItsDeadline() throws IOException {
        try (Socket socket = connect(plain)) {
            assertTrue(closesWhileSending(socket, "GET /observe/health/live HTTP/1.1\r\nX: "));
        }
    }

    @Test
    void bodyInPieces_isClosedAtItsDeadline() throws IOException {
        try (Socket socket = connect(plain)) {
            assertTrue(
                    closesWhileSending(
                            socket,
                            "POST /live/v1/live-streams HTTP/1.1\r\nHost: a\r\n"
                                    + AUTHORIZATION
                                    + "Content-Type: application/json\r\n"
                                    + "Content-Length: 60000\r\n\r\n"));
        }
    }

    @Test
    void connectionBetweenRequests_isKeptAndThenClosed() throws IOException {
        try (Socket socket = connect(plainPatient)) {
            for (int i = 0; i < 2; i++) {
                send(socket, HEALTH);
                assertTrue(head(socket.getInputStream()).startsWith("HTTP/1.1 200 "));
            }
            assertTrue(isClosed(socket));
        }
    }

    @Test
    void eventStream_outlivesTheDeadlineOfAReply() throws IOException {
        try (Socket socket = connect(plainPatient)) {
            long startNs = System.nanoTime();
            send(
                    socket,
                    "GET /system/v1/events/stream?seconds=4 HTTP/1.1\r\nHost: a\r\n"
                            + AUTHORIZATION
                            + "\r\n");
            InputStream in = socket.getInputStream();
            String reply = head(in);
            for (int next = in.read(); next >= 0; next = in.read()) {
                reply += (char) next;
                if (reply.endsWith("0\r\n\r\n")) {
                    break;
                }
            }

            assertTrue(reply.endsWith("0\r\n\r\n"), reply);
            assertTrue(System.nanoTime() - startNs >= Duration.ofSeconds(3).toNanos());
        }
    }

    @Test
    void http2WithoutAWindow_leavesOtherCallsAlone_andIsClosed() throws IOException {
        List<Socket> stuck = new ArrayList<>();
        try {
            for (int i = 0; i < 11; i++) {
                Socket socket = http2(Http2Frames.INITIAL_WINDOW_SIZE, 0);
                stuck.add(socket);
                ByteArrayOutputStream sent = new ByteArrayOutputStream();
                for (int stream = 1; stream < 200; stream += 2) {
                    sent.writeBytes(headers(END_OF_BOTH, stream, "GET", "/openapi"));
                }
                write(socket, sent.toByteArray());
            }
            for (Socket socket : stuck) {
                awaitFrame(socket.getInputStream(), Http2Frames.HEADERS);
            }

            try (Socket socket = connect(plainPatient)) {
                send(socket, HEALTH);
                assertTrue(head(socket.getInputStream()).startsWith("HTTP/1.1 200 "));
            }
            try (Socket socket = tls(patient)) {
                send(socket, HEALTH);
                assertTrue(head(socket.getInputStream()).startsWith("HTTP/1.1 200 "));
            }
            for (Socket socket : stuck) {
                assertTrue(isClosed(socket));
            }
        } finally {
            for (Socket socket : stuck) {
                socket.close();
            }
        }
    }

    @Test
    void http2WithoutAWindow_aReplyThatWaitsHoldsAPieceOfItsBody() throws IOException {
        long before = heapBytes();
        List<Socket> stuck = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                Socket socket = http2(waiting, Http2Frames.INITIAL_WINDOW_SIZE, 0);
                stuck.add(socket);
                ByteArrayOutputStream sent = new ByteArrayOutputStream();
                for (int stream = 1; stream < 200; stream += 2) {
                    sent.writeBytes(headers(END_OF_BOTH, stream, "GET", "/openapi"));
                }
                write(socket, sent.toByteArray());
                for (int reply = 0; reply < 100; reply++) {
                    awaitFrame(socket.getInputStream(), Http2Frames.HEADERS);
                }
            }

            long each = (heapBytes() - before) / 300;
            assertTrue(each < 100_000, each + " bytes for each reply");
        } finally {
            for (Socket socket : stuck) {
                socket.close();
            }
        }
    }

    private static long heapBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void http2BodyBehindARefusal_endsWithoutIt() throws IOException {
        try (Socket socket = http2()) {
            write(socket, headers(Http2Frames.END_HEADERS, 1, "POST", "/live/v1/live-streams"));

            awaitFrame(socket.getInputStream(), Http2Frames.HEADERS);

            assertTrue(isClosed(socket));
        }
    }

    @Test
    void http2HeadWithoutEnd_isClosed() throws IOException {
        try (Socket socket = http2()) {
            write(socket, headers(END_OF_BOTH, 1, "GET", "/observe/health/live"));
            awaitFrame(socket.getInputStream(), Http2Frames.HEADERS);
            write(socket, headers(Http2Frames.END_STREAM, 3, "GET", "/observe/health/live"));

            assertTrue(isClosed(socket));
        }
    }

    /** Reads frames up to one of this type. */
    private static void awaitFrame(InputStream in, int type) throws IOException {
        while (true) {
            ByteBuffer head = ByteBuffer.wrap(in.readNBytes(9));
            assertEquals(9, head.limit(), "the connection has ended");
            int length = head.getInt(0) >>> 8;
            in.readNBytes(length);
            if (head.get(3) == type) {
                return;
            }
        }
    }

    private static byte[] headers(int flags, int stream, String method, String path) {
        return Http2Frames.frame(
                Http2Frames.HEADERS, flags, stream, Http2Frames.block(method, path));
    }

    /** After the preface with these settings. */
    private static Socket http2(int... settings) throws IOException {
        return http2(patient, settings);
    }

    private static Socket http2(ApiServer server, int... settings) throws IOException {
        SSLSocket socket = tls(server);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        write(socket, Http2Frames.preface(settings));
        return socket;
    }

    private static SSLSocket tls(ApiServer server) throws IOException {
        SSLSocket socket =
                (SSLSocket)
                        trusting.getSocketFactory()
                                .createSocket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(READ_TIMEOUT_MS);
        return socket;
    }

    private static Socket connect(ApiServer server) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(READ_TIMEOUT_MS);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        write(socket, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void write(Socket socket, byte[] bytes) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(bytes);
        out.flush();
    }

    /** Sends a byte at a time until the server has closed the connection. */
    private static boolean closesWhileSending(Socket socket, String start) throws IOException {
        send(socket, start);
        socket.setSoTimeout(PACE_MS);
        long endNs = System.nanoTime() + Duration.ofMillis(READ_TIMEOUT_MS).toNanos();
        while (System.nanoTime() - endNs < 0) {
            try {
                if (socket.getInputStream().read() < 0) {
                    return true;
                }
            } catch (SocketTimeoutException _) {
                try {
                    send(socket, " ");
                } catch (SocketException _) {
                    return true;
                }
            } catch (SocketException _) {
                return true;
            }
        }
        return false;
    }

    /** Reads to the end of the connection; false if it does not come in time. */
    private static boolean isClosed(Socket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketTimeoutException _) {
            return false;
        } catch (IOException _) {
            // Reset, or TLS without its own end.
            return true;
        }
    }

    /** The head of a reply, and its body if it has a length. */
    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return head.toString();
            }
            head.append((char) next);
        }
        int length = head.indexOf("Content-Length: ");
        if (length >= 0) {
            String rest = head.substring(length + "Content-Length: ".length());
            in.readNBytes(Integer.parseInt(rest.substring(0, rest.indexOf('\r'))));
        }
        return head.toString();
    }
}
