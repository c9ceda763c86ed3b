package touchline.api.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataWriter;
import java.nio.charset.StandardCharsets;

/**
 * Writes one reply for a client that knows HTTP/1.0: without chunks, so that the end of the
 * connection ends the body (RFC 9112, 6.1). The web server writes the head at once, and each chunk
 * at once. One thread.
 */
final class Http10Writer implements DataWriter {
    private static final String CHUNKED = "\r\nTransfer-Encoding: chunked\r\n";
    private static final String END_OF_HEAD = "\r\n\r\n";
    private static final int HEX = 16;

    private final DataWriter connection;
    private State state = State.HEAD;

    private enum State {
        HEAD,
        PLAIN,
        CHUNKED
    }

    Http10Writer(DataWriter connection) {
        this.connection = connection;
    }

    @Override
    public void write(BufferData... buffers) {
        write(BufferData.create(buffers));
    }

    @Override
    public void write(BufferData buffer) {
        BufferData plain = plain(buffer);
        if (plain.available() > 0) {
            connection.write(plain);
        }
    }

    @Override
    public void writeNow(BufferData... buffers) {
        writeNow(BufferData.create(buffers));
    }

    @Override
    public void writeNow(BufferData buffer) {
        BufferData plain = plain(buffer);
        if (plain.available() > 0) {
            connection.writeNow(plain);
        }
    }

    @Override
    public void flush() {
        connection.flush();
    }

    @Override
    public void close() {
        connection.close();
    }

    private BufferData plain(BufferData buffer) {
        return switch (state) {
            case PLAIN -> buffer;
            case HEAD -> head(buffer.readBytes());
            case CHUNKED -> chunk(buffer.readBytes());
        };
    }

    private BufferData head(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int end = text.indexOf(END_OF_HEAD);
        int chunked = text.indexOf(CHUNKED);
        if (end < 0 || chunked < 0 || chunked > end) {
            state = State.PLAIN;
            return BufferData.create(bytes);
        }
        state = State.CHUNKED;
        String without =
                text.substring(0, chunked) + text.substring(chunked + CHUNKED.length() - 2);
        return BufferData.create(without.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The bytes between a chunk's size and its end; none of the last chunk. */
    private static BufferData chunk(byte[] bytes) {
        int start = 0;
        while (bytes[start] != '\r') {
            start++;
        }
        int size = Integer.parseInt(new String(bytes, 0, start, StandardCharsets.US_ASCII), HEX);
        return BufferData.create(bytes, start + 2, size);
    }
}
