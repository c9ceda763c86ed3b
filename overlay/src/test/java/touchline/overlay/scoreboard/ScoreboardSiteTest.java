package touchline.overlay.scoreboard;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The site with raw bytes, without a socket. */
class ScoreboardSiteTest {
    private final FakeScoreboards boards = new FakeScoreboards("{\"score\":1}");
    private final ScoreboardSite site = new ScoreboardSite(boards);

    private String send(String request) throws IOException {
        ByteArrayOutputStream reply = new ByteArrayOutputStream();
        site.serve("stream-1", new ByteArrayInputStream(request.getBytes(ISO_8859_1)), reply);
        return reply.toString(ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/?align=right",
                "/scoreboard.css",
                "/scoreboard.js",
                "/barlow-condensed-latin-700-normal.woff2"
            })
    void file_ofThePage_isServed(String path) throws IOException {
        String reply = send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");

        assertTrue(reply.startsWith("HTTP/1.1 200 OK\r\n"), reply);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/ScoreboardSite.class",
                "/../page/package-info.class",
                "//etc/hostname",
                "/%2e%2e/x.html",
                "/README.md",
                "/none.js"
            })
    void anythingElse_isNotThere(String path) throws IOException {
        String reply = send("GET " + path + " HTTP/1.1\r\n\r\n");

        assertTrue(reply.startsWith("HTTP/1.1 404 "), reply);
    }

    @Test
    void connection_takesMoreThanOneRequest_untilItIsToClose() throws IOException {
        String get = "GET /scoreboard.js HTTP/1.1\r\n";
        String replies = send(get + "\r\n" + get + "Connection: close\r\n\r\n" + get + "\r\n");

        assertEquals(3, replies.split("HTTP/1.1 200 OK", -1).length);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /feed HTTP/1.1\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                "GET /\u0000 HTTP/1.1\r\n\r\n",
                "nonsense\r\n\r\n"
            })
    void request_thatIsInvalid_endsTheConnection(String request) {
        assertThrows(IOException.class, () -> send(request));
        assertEquals(0, boards.watchers());
    }

    @Test
    void feed_sendsWhatIsShown_andEveryChange_untilThePageCloses() throws Exception {
        PipedOutputStream page = new PipedOutputStream();
        InputStream fromPage = new PipedInputStream(page);
        PipedInputStream toPage = new PipedInputStream(1 << 16);
        PipedOutputStream out = new PipedOutputStream(toPage);
        Thread server =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try (out) {
                                        site.serve("stream-1", fromPage, out);
                                    } catch (IOException e) {
                                        throw new AssertionError(e);
                                    }
                                });
        // Key and answer from RFC 6455, 1.3.
        page.write(
                "GET /feed HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
                        .getBytes(ISO_8859_1));
        page.flush();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) toPage.read());
        }
        assertTrue(head.toString().contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), head::toString);
        assertEquals("{\"score\":1}", frame(toPage));
        assertEquals(List.of("stream-1"), boards.streams());

        String large = "{\"name\":\"" + "x".repeat(300) + "\"}";
        boards.show(large);
        assertEquals(large, frame(toPage));

        // A masked close (RFC 6455, 5.5.1) with a mask of zeros and no reason.
        page.write(new byte[] {(byte) 0x88, (byte) 0x80, 0, 0, 0, 0});
        page.flush();
        assertEquals(0x88, toPage.read());
        server.join();
        assertEquals(0, boards.watchers());
    }

    private static String frame(InputStream from) throws IOException {
        assertEquals(0x81, from.read());
        int length = from.read();
        if (length == 126) {
            length = from.read() << 8 | from.read();
        }
        byte[] payload = from.readNBytes(length);
        assertEquals(length, payload.length, Arrays.toString(payload));
        return new String(payload, ISO_8859_1);
    }
}
