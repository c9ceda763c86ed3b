package touchline.benchmarks.hostile;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import touchline.ingest.amf.AmfCodec;
import touchline.ingest.amf.AmfValue;
import touchline.ingest.amf.AmfValue.Absent;
import touchline.ingest.amf.AmfValue.Num;
import touchline.ingest.amf.AmfValue.Obj;
import touchline.ingest.amf.AmfValue.Text;

/** An RTMP client that may send anything. Its chunks have up to 4 KiB. One thread. */
final class RtmpPeer implements AutoCloseable {
    static final int COMMAND = 20;
    static final int DATA = 18;

    private static final int HANDSHAKE_BYTES = 1536;
    private static final int CHUNK_BYTES = 4096;
    private static final int EXTENDED = 0xFFFFFF;
    private static final Duration REPLY = Duration.ofSeconds(20);
    private static final List<String> REFUSALS =
            List.of("NetStream.Publish.Denied", "NetStream.Publish.BadName", "Rejected", "Failed");

    private final Connection connection;
    private final URI address;

    private RtmpPeer(Connection connection, URI address) {
        this.connection = connection;
        this.address = address;
    }

    /** Shakes hands and connects to the application. */
    static RtmpPeer connect(URI address) throws IOException {
        RtmpPeer peer = new RtmpPeer(Connection.tcp(address), address);
        try {
            byte[] hello = new byte[1 + HANDSHAKE_BYTES];
            hello[0] = 3;
            peer.connection.send(hello);
            byte[] answer = peer.connection.in().readNBytes(1 + 2 * HANDSHAKE_BYTES);
            if (answer.length < 1 + 2 * HANDSHAKE_BYTES) {
                throw new IOException("closed in the handshake");
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.write(answer, 1, HANDSHAKE_BYTES);
            peer.connection.send(out.toByteArray());
            peer.message(2, 1, 0, 0, ByteBuffer.allocate(4).putInt(0, CHUNK_BYTES).array());
            Obj connect = new Obj(Map.of("app", new Text("live")));
            peer.message(3, COMMAND, 0, 0, amf(new Text("connect"), new Num(1), connect));
            peer.await("_result");
            return peer;
        } catch (IOException e) {
            peer.close();
            throw e;
        }
    }

    /** Connects and publishes to the stream of the address. */
    static RtmpPeer publish(URI address) throws IOException {
        RtmpPeer peer = connect(address);
        try {
            String path = address.getPath();
            peer.publish(path.substring(path.lastIndexOf('/') + 1));
            return peer;
        } catch (IOException e) {
            peer.close();
            throw e;
        }
    }

    /**
     * @throws IOException the server's reason
     */
    void publish(String key) throws IOException {
        message(3, COMMAND, 0, 0, amf(new Text("createStream"), new Num(2), Absent.NULL));
        await("_result");
        message(
                4,
                COMMAND,
                0,
                1,
                amf(new Text("publish"), new Num(3), Absent.NULL, new Text(key), new Text("live")));
        await("Publish.Start");
    }

    /** A whole message. */
    void message(int chunkStream, int type, int timestampMs, int stream, byte[] body)
            throws IOException {
        connection.send(chunks(chunkStream, type, timestampMs, stream, body));
    }

    /** All but the last chunk of a message (RTMP 1.0, 5.3.1). */
    void unfinished(int chunkStream, int type, byte[] body) throws IOException {
        byte[] whole = chunks(chunkStream, type, 0, 0, body);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(whole, 0, whole.length - 2 - (body.length - 1) % CHUNK_BYTES);
        connection.send(out.toByteArray());
    }

    /** Bytes as they are. */
    void raw(byte[] bytes) throws IOException {
        connection.send(bytes);
    }

    private static byte[] chunks(
            int chunkStream, int type, int timestampMs, int stream, byte[] body) {
        boolean extended = Integer.compareUnsigned(timestampMs, EXTENDED) >= 0;
        ByteBuf out = Unpooled.buffer(body.length + 64);
        out.writeByte(chunkStream).writeMedium(extended ? EXTENDED : timestampMs);
        out.writeMedium(body.length).writeByte(type).writeIntLE(stream);
        for (int at = 0; at == 0 || at < body.length; at += CHUNK_BYTES) {
            if (at > 0) {
                out.writeByte(0xC0 | chunkStream);
            }
            if (extended) {
                out.writeInt(timestampMs);
            }
            out.writeBytes(body, at, Math.min(CHUNK_BYTES, body.length - at));
        }
        return ByteBufUtil.getBytes(out);
    }

    static byte[] amf(AmfValue... values) {
        ByteBuf bytes = Unpooled.buffer();
        for (AmfValue value : values) {
            AmfCodec.write(bytes, value);
        }
        return ByteBufUtil.getBytes(bytes);
    }

    /** Reads until a text has passed. */
    private void await(String text) throws IOException {
        connection.patience(REPLY);
        InputStream in = connection.in();
        StringBuilder seen = new StringBuilder();
        while (seen.indexOf(text) < 0) {
            int next = in.read();
            String refusal =
                    REFUSALS.stream()
                            .filter(each -> seen.indexOf(each) >= 0)
                            .findFirst()
                            .orElse("");
            if (!refusal.isEmpty()) {
                throw new IOException("refused: " + refusal);
            }
            if (next < 0) {
                throw new IOException("closed before " + text);
            }
            seen.append(new String(new byte[] {(byte) next}, StandardCharsets.ISO_8859_1));
        }
        connection.patience(Connection.PATIENCE);
    }

    /** Drops replies; false once the server has closed. */
    boolean isOpen() {
        try {
            return connection.drain();
        } catch (IOException _) {
            return false;
        }
    }

    String awaitEnd() throws IOException {
        return connection.awaitEnd();
    }

    URI address() {
        return address;
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
