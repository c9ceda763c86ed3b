package touchline.packager.delivery;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** HTTP/2 frames by hand (RFC 9113, 4 and 6), so that a test can also send what no client would. */
public final class Http2Frames {
    static final int DATA = 0;
    public static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    public static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    public static final int END_STREAM = 1;
    public static final int END_HEADERS = 4;

    public static final int INITIAL_WINDOW_SIZE = 4;

    // Indices of names (RFC 7541, appendix A).
    private static final int AUTHORITY = 1;
    private static final int METHOD = 2;
    private static final int PATH = 4;
    private static final int SCHEME = 7;

    private static final int HEADER_BYTES = 9;
    private static final int MAX_FRAME_BYTES = 16 * 1024;

    /** One frame that came. */
    record Frame(int type, int flags, int stream, ByteBuffer payload) {
        boolean isLast() {
            return (flags & END_STREAM) != 0;
        }

        /** Of GOAWAY and RST_STREAM. */
        int errorCode() {
            return payload.getInt(type == GOAWAY ? 4 : 0);
        }
    }

    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(true);
    private ByteBuf received = Unpooled.buffer();

    public static byte[] preface(int... settings) {
        ByteBuffer payload = ByteBuffer.allocate(settings.length * 3);
        for (int i = 0; i < settings.length; i += 2) {
            payload.putShort((short) settings[i]).putInt(settings[i + 1]);
        }
        return concat(
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII),
                frame(SETTINGS, 0, 0, payload.array()));
    }

    public static byte[] frame(int type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(HEADER_BYTES + payload.length)
                .putInt(payload.length << 8 | type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    /** HEADERS, and CONTINUATIONs where they are needed. */
    static byte[] get(int stream, String path, String... headers) {
        byte[] block = block("GET", path, headers);
        byte[] frames = new byte[0];
        for (int at = 0; at < block.length; at += MAX_FRAME_BYTES) {
            int end = Math.min(block.length, at + MAX_FRAME_BYTES);
            int flags = (at == 0 ? END_STREAM : 0) | (end == block.length ? END_HEADERS : 0);
            frames =
                    concat(
                            frames,
                            frame(
                                    at == 0 ? HEADERS : CONTINUATION,
                                    flags,
                                    stream,
                                    Arrays.copyOfRange(block, at, end)));
        }
        return frames;
    }

    static byte[] reset(int stream) {
        return frame(RST_STREAM, 0, stream, ByteBuffer.allocate(4).putInt(8).array());
    }

    static byte[] windowUpdate(int stream, int bytes) {
        return frame(WINDOW_UPDATE, 0, stream, ByteBuffer.allocate(4).putInt(bytes).array());
    }

    /**
     * A header block of literals without indexing (RFC 7541, 6.2.2), names from the static table.
     */
    public static byte[] block(String method, String path, String... headers) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.write(METHOD);
        string(block, method);
        block.write(SCHEME);
        string(block, "https");
        block.write(AUTHORITY);
        string(block, "t");
        block.write(PATH);
        string(block, path);
        for (int i = 0; i < headers.length; i += 2) {
            literal(block, headers[i], headers[i + 1]);
        }
        return block.toByteArray();
    }

    private static void literal(ByteArrayOutputStream block, String name, String value) {
        block.write(0);
        string(block, name);
        string(block, value);
    }

    /** RFC 7541, 5.1 and 5.2. */
    private static void string(ByteArrayOutputStream block, String text) {
        int length = text.length();
        if (length < 127) {
            block.write(length);
        } else {
            block.write(127);
            length -= 127;
            while (length >= 128) {
                block.write(length % 128 + 128);
                length /= 128;
            }
            block.write(length);
        }
        block.writeBytes(text.getBytes(US_ASCII));
    }

    static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            bytes.writeBytes(part);
        }
        return bytes.toByteArray();
    }

    /** The frames that are whole with these bytes. */
    List<Frame> receive(byte[] bytes) {
        received.writeBytes(bytes);
        List<Frame> frames = new ArrayList<>();
        while (received.readableBytes() >= HEADER_BYTES
                && received.readableBytes()
                        >= HEADER_BYTES + received.getUnsignedMedium(received.readerIndex())) {
            byte[] payload = new byte[received.readUnsignedMedium()];
            int type = received.readByte();
            int flags = received.readByte();
            int stream = received.readInt();
            received.readBytes(payload);
            frames.add(new Frame(type, flags, stream, ByteBuffer.wrap(payload)));
        }
        received = received.discardReadBytes();
        return frames;
    }

    /** In the order they came: they share a table. */
    Http2Headers headers(Frame frame) {
        try {
            return decoder.decodeHeaders(frame.stream(), Unpooled.wrappedBuffer(frame.payload()));
        } catch (Http2Exception e) {
            throw new AssertionError("answer's header block", e);
        }
    }
}
