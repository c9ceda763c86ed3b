package touchline.packager.delivery;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import touchline.config.PlaybackConfig;
import touchline.media.decoding.GopDecoders;
import touchline.packager.hls.MediaBody;
import touchline.packager.thumbnail.Thumbnails;
import touchline.testing.Await;

/** A server on a free port of loopback, and what tests do to it. */
final class ServerBench implements AutoCloseable {
    private static final Duration LONG = Duration.ofSeconds(60);

    final DeliveryCounters counters = new DeliveryCounters();
    final PlaybackServer server;

    ServerBench(PlaybackAccess access, DeliveryLimits limits, Optional<PlaybackTls> tls)
            throws IOException {
        this(access, limits, tls, 0);
    }

    ServerBench(
            PlaybackAccess access,
            DeliveryLimits limits,
            Optional<PlaybackTls> tls,
            int maxPerAddress)
            throws IOException {
        this(access, limits, tls, maxPerAddress, 1000);
    }

    ServerBench(
            PlaybackAccess access,
            DeliveryLimits limits,
            Optional<PlaybackTls> tls,
            int maxPerAddress,
            int max)
            throws IOException {
        PlaybackConfig config =
                new PlaybackConfig(
                        "127.0.0.1",
                        0,
                        max,
                        maxPerAddress,
                        limits.idle(),
                        limits.head(),
                        100,
                        8 << 20);
        server =
                new PlaybackServer(
                        () -> config,
                        new DeliveryContext(
                                access,
                                () -> limits,
                                counters,
                                new ResponseHeaders(InstantSource.system()),
                                new ViewerAddress(List.of()),
                                System::nanoTime,
                                Thumbnails.of(100, 8 << 20, GopDecoders.LOCAL, (_, _) -> {})),
                        tls,
                        _ -> false);
        server.start();
    }

    /** Deadlines that no healthy test meets. */
    static DeliveryLimits patient() {
        return new DeliveryLimits(LONG, LONG, LONG, LONG, LONG, 1, LONG, Duration.ofSeconds(2));
    }

    /** A viewer has this long to take 16 KiB. */
    static DeliveryLimits impatient(Duration stall) {
        return new DeliveryLimits(
                LONG, LONG, LONG, LONG, stall, 16 * 1024, LONG, Duration.ofSeconds(2));
    }

    Socket connect(int receiveBufferBytes) throws IOException {
        Socket socket = new Socket();
        if (receiveBufferBytes > 0) {
            socket.setReceiveBufferSize(receiveBufferBytes);
        }
        socket.setSoTimeout((int) LONG.toMillis());
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        return socket;
    }

    static void send(Socket socket, String request) throws IOException {
        socket.getOutputStream().write(request.getBytes(ISO_8859_1));
    }

    /** One range of a file as nine consecutive files. */
    static MediaBody inPieces(Path file, long offsetBytes, long sizeBytes) {
        List<MediaBody.FileRange> pieces = new ArrayList<>();
        long pieceBytes = Math.ceilDiv(sizeBytes, 9);
        for (long at = 0; at < sizeBytes; at += pieceBytes) {
            long count = Math.min(pieceBytes, sizeBytes - at);
            pieces.add(new MediaBody.FileRange(file, offsetBytes + at, count));
        }
        return new MediaBody.FileSequence(pieces);
    }

    static String get(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: t\r\n\r\n";
    }

    /** One answer, its head as text and its body as one char per byte. */
    static String answer(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            if (b < 0) {
                return head.toString();
            }
            head.append((char) b);
        }
        int length = 0;
        for (String line : head.toString().split("\r\n", -1)) {
            if (line.startsWith("content-length: ")) {
                length = Integer.parseInt(line.substring(16));
            }
        }
        return head + new String(in.readNBytes(length), ISO_8859_1);
    }

    /** Everything until the server ends the connection, or resets it. */
    static String untilEnd(InputStream in) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            in.transferTo(bytes);
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the server keeps the connection", e);
        } catch (IOException _) {
            bytes.writeBytes("<reset>".getBytes(ISO_8859_1));
        }
        return bytes.toString(ISO_8859_1);
    }

    /** Ends the server, and sees that no memory is left once the sessions are gone. */
    void leavesNothing(NettyMediaMemory memory, FakePlayback... sessions) {
        close();
        for (FakePlayback session : sessions) {
            session.close();
        }
        Await.until(() -> memory.usedBytes() == 0, "media memory is given back");
        Await.until(() -> counters.openConnections() == 0, "connections are counted out");
    }

    @Override
    public void close() {
        server.close();
    }
}
