package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class Http10WriterTest {
    private final StringBuilder written = new StringBuilder();
    private final Http10Writer writer = new Http10Writer(new Recorder());

    @Test
    void replyWithLength_isUnchanged() {
        write("HTTP/1.1 200 OK\r\nContent-Length: 44\r\n\r\n");
        write("\r\nTransfer-Encoding: chunked\r\n");
        write("2\r\nab\r\n");

        assertEquals(
                String.join(
                        "\r\n",
                        "HTTP/1.1 200 OK",
                        "Content-Length: 44",
                        "",
                        "",
                        "Transfer-Encoding: chunked",
                        "2",
                        "ab",
                        ""),
                written.toString());
    }

    @Test
    void chunkedReply_isWrittenWithoutChunks() {
        write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: 1\r\n\r\n");
        write("2\r\nab\r\n");
        write("10\r\n0123456789\r\nabcd\r\n");
        write("0\r\n\r\n");

        assertEquals("HTTP/1.1 200 OK\r\nX: 1\r\n\r\nab0123456789\r\nabcd", written.toString());
    }

    private void write(String text) {
        writer.write(BufferData.create(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    private final class Recorder implements DataWriter {
        @Override
        public void write(BufferData... buffers) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(BufferData buffer) {
            written.append(new String(buffer.readBytes(), StandardCharsets.ISO_8859_1));
        }

        @Override
        public void writeNow(BufferData... buffers) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void writeNow(BufferData buffer) {
            throw new UnsupportedOperationException();
        }
    }
}
