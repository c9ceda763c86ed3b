package touchline.overlay.scoreboard;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The server's side of one WebSocket that only sends (RFC 6455): text out; of what comes in, pings
 * are answered, a close ends it and the rest is passed over. One thread reads, any other sends.
 */
final class WebSocketServer {
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int TEXT = 1;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;

    /** RFC 6455, 5.5: of a control frame. Others are skipped, so any length is good. */
    private static final int MOST_CONTROL_BYTES = 125;

    private final DataInputStream from;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final OutputStream to;

    private WebSocketServer(InputStream from, OutputStream to) {
        this.from = new DataInputStream(from);
        this.to = to;
    }

    /**
     * Answers the handshake.
     *
     * @param key of the request's {@code Sec-WebSocket-Key}
     */
    static WebSocketServer accept(String key, InputStream from, OutputStream to)
            throws IOException {
        String reply =
                String.join(
                        "\r\n",
                        "HTTP/1.1 101 Switching Protocols",
                        "Upgrade: websocket",
                        "Connection: Upgrade",
                        "Sec-WebSocket-Accept: " + accepted(key),
                        "",
                        "");
        to.write(reply.getBytes(StandardCharsets.ISO_8859_1));
        to.flush();
        return new WebSocketServer(from, to);
    }

    void send(String text) throws IOException {
        write(TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Shows whether the page is still there: the write fails some time after it has gone. */
    void ping() throws IOException {
        write(PING, new byte[0]);
    }

    /** Returns when the page has closed it or gone. */
    void readToEnd() {
        try {
            while (readFrame()) {
                // Until the end.
            }
        } catch (IOException _) {
            // The page has gone without a word.
        }
    }

    private boolean readFrame() throws IOException {
        int opcode = from.readUnsignedByte() & 0xf;
        int second = from.readUnsignedByte();
        long length = second & 0x7f;
        if (length == 126) {
            length = from.readUnsignedShort();
        } else if (length == 127) {
            length = from.readLong();
        }
        byte[] mask = (second & 0x80) == 0 ? new byte[4] : from.readNBytes(4);
        if (opcode < CLOSE) {
            from.skipNBytes(length);
            return true;
        }
        if (length > MOST_CONTROL_BYTES) {
            return false;
        }
        byte[] payload = from.readNBytes((int) length);
        for (int i = 0; i < payload.length; i++) {
            payload[i] ^= mask[i % 4];
        }
        if (opcode == PING) {
            write(PONG, payload);
        } else if (opcode == CLOSE) {
            write(CLOSE, payload);
            return false;
        }
        return true;
    }

    /** RFC 6455, 5.2: final, unmasked. */
    private void write(int opcode, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(10 + payload.length);
        frame.put((byte) (0x80 | opcode));
        if (payload.length <= MOST_CONTROL_BYTES) {
            frame.put((byte) payload.length);
        } else if (payload.length <= 0xffff) {
            frame.put((byte) 126).putShort((short) payload.length);
        } else {
            frame.put((byte) 127).putLong(payload.length);
        }
        frame.put(payload);
        lock.lock();
        try {
            to.write(frame.array(), 0, frame.position());
            to.flush();
        } finally {
            lock.unlock();
        }
    }

    private static String accepted(String key) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-1")
                            .digest((key + GUID).getBytes(StandardCharsets.ISO_8859_1));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}
