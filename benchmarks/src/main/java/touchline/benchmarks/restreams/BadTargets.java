package touchline.benchmarks.restreams;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Targets that misbehave: one refuses the connection, one resets it, one accepts the publish and
 * then reads 64 kbit/s. One thread creates and closes it.
 */
final class BadTargets implements AutoCloseable {
    private static final int HANDSHAKE_BYTES = 1_536;
    private static final int READ_BYTES = 800;
    private static final long READ_EVERY_MS = 100;
    private static final int SMALL_BUFFER_BYTES = 16 << 10;

    /** Empty: an AMF0 null. */
    private static final String NOTHING = "05";

    private final List<ServerSocket> listeners = new ArrayList<>();
    private final int refusing = TouchlineServer.freePort();
    private final int resetting;
    private final int slow;

    private interface Peer {
        void serve(Socket socket) throws IOException, InterruptedException;
    }

    BadTargets() throws IOException {
        resetting = listen(BadTargets::reset);
        slow = listen(BadTargets::readSlowly);
    }

    String refusing() {
        return url(refusing);
    }

    String resetting() {
        return url(resetting);
    }

    String slow() {
        return url(slow);
    }

    private static String url(int port) {
        return "rtmp://127.0.0.1:" + port + "/live";
    }

    private int listen(Peer peer) throws IOException {
        ServerSocket listener = new ServerSocket();
        listener.setReceiveBufferSize(SMALL_BUFFER_BYTES);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        listeners.add(listener);
        Thread.ofVirtual().start(() -> accept(listener, peer));
        return listener.getLocalPort();
    }

    private static void accept(ServerSocket listener, Peer peer) {
        while (!listener.isClosed()) {
            try (Socket socket = listener.accept()) {
                peer.serve(socket);
            } catch (IOException _) {
                // The connection or the benchmark is over.
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static void reset(Socket socket) throws IOException {
        int _ = socket.getInputStream().read();
        socket.setSoLinger(true, 0);
    }

    private static void readSlowly(Socket socket) throws IOException, InterruptedException {
        InputStream in = socket.getInputStream();
        byte[] _ = in.readNBytes(1 + HANDSHAKE_BYTES);
        socket.getOutputStream().write(accepted());
        while (in.readNBytes(READ_BYTES).length > 0) {
            Thread.sleep(READ_EVERY_MS);
        }
    }

    /** S0, S1, S2, and the answers to connect, createStream and publish. */
    private static byte[] accepted() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(3);
        out.writeBytes(new byte[2 * HANDSHAKE_BYTES]);
        command(out, text("_result") + number(1) + NOTHING);
        command(out, text("_result") + number(4) + NOTHING + number(1));
        String code = text("code").substring(2) + text("NetStream.Publish.Start");
        command(out, text("onStatus") + number(0) + NOTHING + "03" + code + "000009");
        return out.toByteArray();
    }

    /** A chunk of type 0 with an AMF0 command of at most 128 bytes. */
    private static void command(ByteArrayOutputStream out, String amf) {
        byte[] body = HexFormat.of().parseHex(amf);
        String head = "03000000" + "%06x".formatted(body.length) + "1400000000";
        out.writeBytes(HexFormat.of().parseHex(head));
        out.writeBytes(body);
    }

    private static String text(String value) {
        return "02%04x".formatted(value.length())
                + HexFormat.of().formatHex(value.getBytes(StandardCharsets.UTF_8));
    }

    private static String number(double value) {
        return "00%016x".formatted(Double.doubleToLongBits(value));
    }

    @Override
    public void close() throws IOException {
        for (ServerSocket each : listeners) {
            each.close();
        }
    }
}
