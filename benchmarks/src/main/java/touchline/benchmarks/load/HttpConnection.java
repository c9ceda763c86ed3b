package touchline.benchmarks.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One kept-alive HTTP/1.1 connection for GET. It costs little CPU time: a request is one write, an
 * answer ends when its last byte is read. Owned by one thread.
 */
public final class HttpConnection implements AutoCloseable {
    private static final String HEAD_END = "\r\n\r\n";
    private static final int PIECE_BYTES = 1 << 20;

    /**
     * @param body read-only
     * @param doneNs {@link System#nanoTime} when the last byte was read
     */
    public record Answer(int status, ByteBuffer body, long doneNs) {
        public String text() {
            return StandardCharsets.UTF_8.decode(body.duplicate()).toString();
        }
    }

    private final String host;
    private final ByteChannel channel;
    private final ByteBuffer input = ByteBuffer.allocate(1 << 16).flip();
    private final ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);

    private HttpConnection(String host, ByteChannel channel) {
        this.host = host;
        this.channel = channel;
    }

    /** Connects to the host and port of an address; the caller closes it. */
    public static HttpConnection open(URI address) throws IOException {
        if ("https".equals(address.getScheme())) {
            return new HttpConnection(
                    address.getHost() + ":" + address.getPort(), TlsChannel.open(address));
        }
        SocketChannel channel =
                SocketChannel.open(new InetSocketAddress(address.getHost(), address.getPort()));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return new HttpConnection(address.getHost() + ":" + address.getPort(), channel);
    }

    /** The bytes of a request with the minimum of headers. */
    public static ByteBuffer request(URI address) {
        return request(address.getHost() + ":" + address.getPort(), target(address));
    }

    /** Reads an answer with {@code Content-Length}. */
    public Answer get(URI address) throws IOException {
        String head = send(address);
        ByteBuffer body = ByteBuffer.allocate((int) contentLength(head));
        readBody(body.capacity(), body::put);
        return new Answer(status(head), body.flip().asReadOnlyBuffer(), System.nanoTime());
    }

    /**
     * @throws IOException the status is not 200
     */
    public ByteBuffer body(URI address) throws IOException {
        Answer answer = get(address);
        if (answer.status() != 200) {
            throw new IOException(address + ": HTTP " + answer.status() + " (expected: 200)");
        }
        return answer.body();
    }

    /**
     * Sends a request and reads the head of its answer. Its body has a {@code Content-Length}.
     *
     * @throws IOException the status is not 200
     */
    public long requestBody(URI address) throws IOException {
        String head = send(address);
        if (status(head) != 200) {
            throw new IOException(address + ": " + head);
        }
        return contentLength(head);
    }

    /** Reads a body of a known length in large pieces. */
    public void readBody(long bytes, Sink sink) throws IOException {
        long left = bytes;
        while (left > 0) {
            piece.clear().limit((int) Math.min(left, PIECE_BYTES));
            if (input.hasRemaining()) {
                int buffered = Math.min(piece.remaining(), input.remaining());
                piece.put(input.slice(input.position(), buffered));
                input.position(input.position() + buffered);
            } else if (channel.read(piece) < 0) {
                throw new EOFException(left + " bytes of the body are missing");
            }
            left -= piece.position();
            sink.write(piece.flip());
        }
    }

    /** Takes the bytes of a body. */
    @FunctionalInterface
    public interface Sink {
        /**
         * @param piece valid for the call
         */
        void write(ByteBuffer piece) throws IOException;
    }

    private String send(URI address) throws IOException {
        ByteBuffer request = request(host, target(address));
        while (request.hasRemaining()) {
            channel.write(request);
        }
        return head();
    }

    private static int status(String head) {
        return Integer.parseInt(head.substring(9, 12));
    }

    /** 0 if the head has none. */
    public static long contentLength(String head) {
        String lower = head.toLowerCase(Locale.ROOT);
        int at = lower.indexOf("\r\ncontent-length:");
        if (at < 0) {
            return 0;
        }
        int start = at + "\r\ncontent-length:".length();
        return Long.parseLong(head.substring(start, head.indexOf("\r\n", start)).strip());
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private static String target(URI address) {
        String query = address.getRawQuery();
        return address.getRawPath() + (query == null ? "" : "?" + query);
    }

    private static ByteBuffer request(String host, String target) {
        String head = "GET " + target + " HTTP/1.1\r\nHost: " + host + HEAD_END;
        return ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII));
    }

    private String head() throws IOException {
        StringBuilder head = new StringBuilder(512);
        while (head.length() < HEAD_END.length()
                || !HEAD_END.contentEquals(head.subSequence(head.length() - 4, head.length()))) {
            head.append((char) read());
        }
        return head.toString();
    }

    private byte read() throws IOException {
        if (!input.hasRemaining()) {
            input.clear();
            if (channel.read(input) < 0) {
                throw new EOFException("the server closed the connection");
            }
            input.flip();
        }
        return input.get();
    }
}
