package touchline.benchmarks.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import touchline.ingest.amf.AmfCodec;
import touchline.ingest.amf.AmfValue;
import touchline.ingest.amf.AmfValue.Absent;
import touchline.ingest.amf.AmfValue.Num;
import touchline.ingest.amf.AmfValue.Obj;
import touchline.ingest.amf.AmfValue.Text;

/**
 * One encoder. It connects and publishes by blocking calls, then sends due media without blocking.
 * Its RTMP 1.0 is the minimum to publish to any server. Owned by one thread.
 */
public final class RtmpSender implements AutoCloseable {
    private static final int HANDSHAKE_BYTES = 1536;

    private final SocketChannel channel;
    private final ByteBuffer input = ByteBuffer.allocate(1 << 16).limit(0);
    private final ByteBuffer command = ByteBuffer.allocate(4096);

    private ByteBuffer headers = ByteBuffer.allocate(0);
    private int sentBytes;
    private int roundsBehind;
    private int mostRoundsBehind;
    private String dead = "";

    private RtmpSender(SocketChannel channel) {
        this.channel = channel;
    }

    /** Publishes to {@code rtmp://host:port/app/key}; throws if the server refuses. */
    static RtmpSender publish(URI address) throws IOException {
        return publish(connect(address), address);
    }

    /**
     * The same for a server that may hang: it has so long for its answer, and the system keeps at
     * most so many bytes that it does not take.
     *
     * @throws java.net.ConnectException nothing listens there
     */
    public static RtmpSender publish(URI address, Duration atMost, int unsentBytes)
            throws IOException {
        SocketChannel channel = connect(address);
        channel.setOption(StandardSocketOptions.SO_SNDBUF, unsentBytes);
        Thread watch = Thread.ofVirtual().start(() -> closeAfter(channel, atMost));
        try {
            return publish(channel, address);
        } catch (IOException e) {
            channel.close();
            throw e;
        } finally {
            watch.interrupt();
        }
    }

    private static void closeAfter(SocketChannel channel, Duration time) {
        try {
            Thread.sleep(time);
            channel.close();
        } catch (InterruptedException | IOException _) {
            // It was answered in time, or is closed.
        }
    }

    private static SocketChannel connect(URI address) throws IOException {
        SocketChannel channel =
                SocketChannel.open(new InetSocketAddress(address.getHost(), address.getPort()));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return channel;
    }

    private static RtmpSender publish(SocketChannel channel, URI address) throws IOException {
        RtmpSender sender = new RtmpSender(channel);
        sender.handshake();
        int slash = address.getPath().lastIndexOf('/');
        sender.open(
                address,
                address.getPath().substring(1, slash),
                address.getPath().substring(slash + 1));
        channel.configureBlocking(false);
        return sender;
    }

    /** Begins with the first message. */
    public void start(PushMedia media) {
        start(media, /* fromByte= */ 0);
    }

    /** Begins with a later message. */
    void start(PushMedia media, int fromByte) {
        headers = media.headers();
        sentBytes = fromByte;
    }

    /** Sends the due bytes that fit into the socket's buffer. */
    public void send(PushMedia media, long mediaMs) {
        if (!dead.isEmpty()) {
            return;
        }
        try {
            if (headers.hasRemaining()) {
                channel.write(headers);
                return;
            }
            ByteBuffer due = media.due(mediaMs, sentBytes);
            sentBytes += channel.write(due);
            roundsBehind = due.hasRemaining() ? roundsBehind + 1 : 0;
            mostRoundsBehind = Math.max(mostRoundsBehind, roundsBehind);
            input.clear();
            if (channel.read(input) < 0) {
                dead = "closed by the server after " + mediaMs + " ms";
            }
        } catch (IOException e) {
            dead = e.getMessage() + " after " + mediaMs + " ms";
        }
    }

    /** Media time of the last message that the socket took completely; -1 before the first. */
    long sentMs(PushMedia media) {
        return media.timeMs(sentBytes);
    }

    /** The reason why it stopped sending; empty while it sends. */
    public String dead() {
        return dead;
    }

    /** Consecutive rounds in which the socket did not take all due bytes. */
    public int roundsBehind() {
        return roundsBehind;
    }

    /** The largest number of consecutive rounds in which the socket did not take all due bytes. */
    int mostRoundsBehind() {
        return mostRoundsBehind;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /** Writes a message as a type 0 chunk and type 3 chunks (RTMP 1.0, 5.3.1); times < 2^24 ms. */
    static void chunk(
            ByteBuffer to,
            int chunkStream,
            int type,
            int timestampMs,
            int messageStreamId,
            ByteBuffer body) {
        int size = body.remaining();
        to.put((byte) chunkStream).putInt(timestampMs << 8 | size >>> 16);
        to.putShort((short) size).put((byte) type);
        to.order(ByteOrder.LITTLE_ENDIAN).putInt(messageStreamId).order(ByteOrder.BIG_ENDIAN);
        for (int at = 0; at < size; at += PushMedia.CHUNK_BYTES) {
            if (at > 0) {
                to.put((byte) (0xC0 | chunkStream));
            }
            to.put(body.slice(body.position() + at, Math.min(PushMedia.CHUNK_BYTES, size - at)));
        }
    }

    private void handshake() throws IOException {
        ByteBuffer hello = ByteBuffer.allocate(1 + HANDSHAKE_BYTES);
        hello.put((byte) 3).position(0);
        writeFully(hello);
        byte[] answer = new byte[1 + 2 * HANDSHAKE_BYTES];
        for (int i = 0; i < answer.length; i++) {
            answer[i] = read();
        }
        writeFully(ByteBuffer.wrap(answer, 1, HANDSHAKE_BYTES));
    }

    private void open(URI address, String app, String key) throws IOException {
        ByteBuffer chunkSize = ByteBuffer.allocate(4).putInt(0, PushMedia.CHUNK_BYTES);
        send(2, 1, 0, chunkSize);
        Text server = new Text("rtmp://" + address.getAuthority() + "/" + app);
        Obj connect =
                new Obj(
                        Map.of(
                                "app", new Text(app),
                                "type", new Text("nonprivate"),
                                "tcUrl", server));
        send(3, 20, 0, amf(new Text("connect"), new Num(1), connect));
        await("_result", 1);
        send(3, 20, 0, amf(new Text("createStream"), new Num(2), Absent.NULL));
        await("_result", 2);
        AmfValue[] publish = {
            new Text("publish"), new Num(3), Absent.NULL, new Text(key), new Text("live")
        };
        send(4, 20, 1, amf(publish));
        await("Publish.Start", 0);
    }

    private void send(int chunkStream, int type, int messageStreamId, ByteBuffer body)
            throws IOException {
        command.clear();
        chunk(command, chunkStream, type, 0, messageStreamId, body);
        writeFully(command.flip());
    }

    private void writeFully(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Reads until a text has passed. Only the order of the answers matters. */
    private void await(String text, int transaction) throws IOException {
        byte[] wanted = text.getBytes(StandardCharsets.US_ASCII);
        int matched = 0;
        StringBuilder seen = new StringBuilder();
        while (matched < wanted.length) {
            byte next = readBehind(seen);
            seen.append(next >= 32 && next < 127 ? (char) next : '.');
            matched = next == wanted[matched] ? matched + 1 : next == wanted[0] ? 1 : 0;
            if (seen.length() > 1 << 16
                    || seen.indexOf("Publish.Denied") >= 0
                    || seen.indexOf("BadName") >= 0) {
                throw new IOException("publish refused (transaction " + transaction + "): " + seen);
            }
        }
    }

    private byte readBehind(CharSequence seen) throws IOException {
        try {
            return read();
        } catch (EOFException e) {
            throw new IOException("closed by the server before Publish.Start, after: " + seen, e);
        }
    }

    private byte read() throws IOException {
        if (!input.hasRemaining()) {
            input.clear();
            if (channel.read(input) < 0) {
                throw new EOFException("closed by the server");
            }
            input.flip();
        }
        return input.get();
    }

    private static ByteBuffer amf(AmfValue... values) {
        ByteBuf bytes = Unpooled.buffer();
        for (AmfValue value : values) {
            AmfCodec.write(bytes, value);
        }
        return bytes.nioBuffer();
    }
}
