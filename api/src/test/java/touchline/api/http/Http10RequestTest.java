package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.helidon.common.buffers.DataReader;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

final class Http10RequestTest {
    private static final String HOST = "127.0.0.1:8080";

    @Test
    void request_withoutHeaders_getsHostAndClose() {
        assertEquals(
                "OPTIONS / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: close\r\n\r\n",
                converted("OPTIONS / HTTP/1.0\r\n\r\n"));
        assertEquals(
                "GET / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConnection: close\r\n\r\n",
                converted("GET / HTTP/1.0\n\n"));
    }

    @Test
    void headers_ofTheConnection_areDropped() {
        assertEquals(
                head(
                        "GET /a%20HTTP/1.0?x HTTP/1.1",
                        "host: a", "X-Name: 1", " 2", "Connection: close"),
                converted(
                        head(
                                "GET /a%20HTTP/1.0?x HTTP/1.0",
                                "host: a",
                                "Connection: keep-alive,",
                                " upgrade",
                                "Keep-Alive: 5",
                                "Upgrade: h2c",
                                "TE: trailers",
                                "Expect: 100-continue",
                                "X-Name: 1",
                                " 2")));
    }

    @Test
    void body_endsBehindItsLength() {
        String head = "POST / HTTP/1.0\r\nHost: a\r\nContent-Length: 4\r\n\r\n";

        assertEquals(
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody",
                converted(head + "bodyGET / HTTP/1.0\r\n\r\n"));
        assertEquals(
                "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                converted("POST / HTTP/1.0\r\nHost: a\r\n\r\nno length"));
    }

    @Test
    void chunks_areNoPartOfHttp10() {
        assertEquals(
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding\r\nConnection: close\r\n\r\n",
                converted(
                        "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"));
    }

    @Test
    void head_beyondTheLimit_isCut() {
        String head = converted("GET / HTTP/1.0\r\n" + "X: y\r\n".repeat(1_000) + "\r\n");

        assertEquals(1_002, head.length(), 10);
    }

    private static String head(String... lines) {
        return String.join("\r\n", lines) + "\r\n\r\n";
    }

    /** The same for all cuts of the bytes on the network. */
    private static String converted(String sent) {
        String whole = read(sent, sent.length());
        assertEquals(whole, read(sent, 1));
        return whole;
    }

    private static String read(String sent, int pieceBytes) {
        byte[] bytes = sent.getBytes(StandardCharsets.ISO_8859_1);
        Deque<byte[]> pieces = new ArrayDeque<>();
        for (int i = 0; i < bytes.length; i += pieceBytes) {
            pieces.add(
                    java.util.Arrays.copyOfRange(bytes, i, Math.min(bytes.length, i + pieceBytes)));
        }
        Http10Request request =
                new Http10Request(DataReader.create(pieces::poll), /* maxHeadBytes= */ 1_000, HOST);
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        for (byte[] next = request.get(); next != null; next = request.get()) {
            read.writeBytes(next);
        }
        assertNull(request.get());
        return read.toString(StandardCharsets.ISO_8859_1);
    }
}
