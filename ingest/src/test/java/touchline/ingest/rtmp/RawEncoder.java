package touchline.ingest.rtmp;

import static touchline.ingest.rtmp.Encoder.num;
import static touchline.ingest.rtmp.Encoder.text;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import touchline.ingest.amf.AmfValue;

/** An encoder on a real socket that sends what a test gives it. */
final class RawEncoder implements AutoCloseable {
    private static final int TIMEOUT_MS = 30_000;

    private final Socket socket;
    private final ByteArrayOutputStream answers = new ByteArrayOutputStream();

    /** Connects and asks to publish, with further properties of {@code connect}. */
    RawEncoder(RtmpServer server, String key, Map<String, AmfValue> more) throws IOException {
        this(server, key, more, /* host= */ 1);
    }

    /**
     * @param host of the network 127.0.0.0 from which it comes
     */
    RawEncoder(RtmpServer server, String key, Map<String, AmfValue> more, int host)
            throws IOException {
        InetAddress own = InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) host});
        socket = new Socket(InetAddress.getLoopbackAddress(), server.port(), own, 0);
        socket.setSoTimeout(TIMEOUT_MS);
        Map<String, AmfValue> properties = new LinkedHashMap<>(more);
        properties.put("app", text("live"));
        properties.put("flashVer", text("test/1.0"));
        send(RtmpBytes.handshake());
        socket.getInputStream().readNBytes(1 + 2 * RtmpBytes.HANDSHAKE_BYTES);
        send(
                RtmpBytes.command(0, "connect", num(1), new AmfValue.Obj(properties)),
                RtmpBytes.command(0, "createStream", num(2), AmfValue.Absent.NULL),
                RtmpBytes.command(
                        1, "publish", num(3), AmfValue.Absent.NULL, text(key), text("live")));
    }

    void send(byte[]... parts) throws IOException {
        socket.getOutputStream().write(RtmpBytes.join(parts));
    }

    /** Reads until a text has come. */
    RawEncoder await(String text) throws IOException {
        while (!all().contains(text)) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new AssertionError("closed before " + text + ": " + all());
            }
            answers.write(next);
        }
        return this;
    }

    /** The bytes from the status of the publish until the server closes. */
    String lastStatus() throws IOException {
        answers.writeBytes(socket.getInputStream().readAllBytes());
        String all = all();
        return all.substring(all.lastIndexOf("onStatus"));
    }

    private String all() {
        return answers.toString(StandardCharsets.ISO_8859_1);
    }

    /** As an encoder that crashes. */
    @Override
    public void close() throws IOException {
        socket.close();
    }
}
