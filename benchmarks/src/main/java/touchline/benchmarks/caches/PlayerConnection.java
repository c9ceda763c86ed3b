package touchline.benchmarks.caches;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import touchline.benchmarks.load.HttpConnection;

/**
 * A kept-alive HTTP/1.1 connection of a player: one request at a time, the others wait. It accepts
 * gzip as browsers do. Owned by the thread of its loop.
 */
final class PlayerConnection {
    private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};
    private static final int MAX_HEAD_BYTES = 8192;

    /**
     * An answer that is complete.
     *
     * @param status 0 if the connection failed
     * @param head status line and headers, in lower case
     * @param body empty unless the request keeps it
     * @param bytes length of the body
     * @param doneNs {@link System#nanoTime} when the last byte was read
     */
    @SuppressWarnings("ArrayRecordComponent") // read once, never compared
    record Answer(int status, String head, byte[] body, long bytes, long doneNs) {
        boolean isGzip() {
            return head.contains("\r\ncontent-encoding: gzip");
        }
    }

    private record Request(String target, boolean keepsBody, Consumer<Answer> reader) {}

    private final PlayerLoop loop;
    private final URI server;
    private final Deque<Request> waiting = new ArrayDeque<>();

    private @Nullable SocketChannel channel;
    private @Nullable Request running;

    /** Whether the running request was sent again on a new connection. */
    private boolean repeated;

    private byte[] head = new byte[1024];
    private int headBytes;
    private @Nullable String headText;
    private byte[] body = new byte[0];
    private long restBytes;
    private long bodyBytes;

    /**
     * @param server its host and port
     */
    PlayerConnection(PlayerLoop loop, URI server) {
        this.loop = loop;
        this.server = server;
    }

    /**
     * Sends a request when those before it are answered.
     *
     * @param target path and query
     * @param keepsBody false: its bytes are only counted
     */
    void get(String target, boolean keepsBody, Consumer<Answer> reader) {
        waiting.add(new Request(target, keepsBody, reader));
        if (running == null) {
            sendNext();
        }
    }

    private void sendNext() {
        Request next = waiting.poll();
        running = next;
        if (next != null) {
            repeated = false;
            send(next);
        }
    }

    private void send(Request request) {
        headBytes = 0;
        headText = null;
        body = new byte[0];
        String text =
                "GET %s HTTP/1.1\r\nHost: %s:%d\r\nAccept-Encoding: gzip\r\n\r\n"
                        .formatted(request.target(), server.getHost(), server.getPort());
        try {
            // A request fits into the empty buffer of a socket.
            open().write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            lost(e);
        }
    }

    private SocketChannel open() throws IOException {
        SocketChannel open = channel;
        if (open == null) {
            open = SocketChannel.open(new InetSocketAddress(server.getHost(), server.getPort()));
            channel = open;
            open.setOption(StandardSocketOptions.TCP_NODELAY, true);
            open.configureBlocking(false);
            loop.register(open, this);
        }
        return open;
    }

    /** Reads what has come. */
    void readable() {
        SocketChannel open = channel;
        if (open == null) {
            return;
        }
        try {
            if (loop.read(open) < 0) {
                lost(new IOException("the connection was closed"));
                return;
            }
            ByteBuffer input = loop.input();
            if (headText == null) {
                readHead(input);
            }
            if (headText != null) {
                readBody(input);
            }
        } catch (IOException e) {
            lost(e);
        }
    }

    private void readHead(ByteBuffer input) throws IOException {
        while (input.hasRemaining()) {
            if (headBytes == head.length) {
                if (headBytes == MAX_HEAD_BYTES) {
                    throw new IOException("a head of more than " + MAX_HEAD_BYTES + " bytes");
                }
                head = Arrays.copyOf(head, 2 * headBytes);
            }
            head[headBytes++] = input.get();
            if (headBytes >= 4
                    && Arrays.equals(
                            head, headBytes - 4, headBytes, HEAD_END, 0, HEAD_END.length)) {
                String text =
                        new String(head, 0, headBytes, StandardCharsets.ISO_8859_1)
                                .toLowerCase(Locale.ROOT);
                if (text.contains("\r\ntransfer-encoding:")) {
                    throw new IOException("an answer without a length: " + text);
                }
                headText = text;
                bodyBytes = HttpConnection.contentLength(text);
                restBytes = bodyBytes;
                if (running != null && running.keepsBody()) {
                    body = new byte[Math.toIntExact(bodyBytes)];
                }
                return;
            }
        }
    }

    private void readBody(ByteBuffer input) throws IOException {
        if (input.remaining() > restBytes) {
            throw new IOException("more bytes than the answer has");
        }
        int count = input.remaining();
        if (body.length > 0) {
            input.get(body, (int) (bodyBytes - restBytes), count);
        }
        restBytes -= count;
        Request done = running;
        String text = headText;
        if (restBytes > 0 || done == null || text == null) {
            return;
        }
        Answer answer =
                new Answer(
                        Integer.parseInt(text.substring(9, 12)),
                        text,
                        body,
                        bodyBytes,
                        System.nanoTime());
        if (text.contains("\r\nconnection: close")) {
            drop();
        }
        sendNext();
        done.reader().accept(answer);
    }

    /** An idle connection may be closed at any time; then a request is sent once more. */
    private void lost(IOException reason) {
        drop();
        Request request = running;
        if (request == null) {
            loop.counts().reconnected();
        } else if (headBytes == 0 && !repeated) {
            loop.counts().reconnected();
            repeated = true;
            send(request);
        } else {
            loop.counts().failed(request.target() + ": " + reason.getMessage());
            sendNext();
            request.reader().accept(new Answer(0, "", new byte[0], 0, System.nanoTime()));
        }
    }

    private void drop() {
        SocketChannel open = channel;
        channel = null;
        if (open != null) {
            loop.remove(open);
        }
    }
}
