package touchline.overlay.page;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpHeadTest {
    private static HttpHead read(String text) throws IOException {
        return HttpHead.read(new ByteArrayInputStream(text.getBytes(ISO_8859_1))).orElseThrow();
    }

    @Test
    void head_isReadToTheEmptyLine_andNotFurther() throws IOException {
        ByteArrayInputStream in =
                new ByteArrayInputStream(
                        "GET / HTTP/1.1\r\nHost: a\r\n\r\nbody".getBytes(ISO_8859_1));
        HttpHead head = HttpHead.read(in).orElseThrow();

        assertEquals("GET / HTTP/1.1", head.firstLine());
        assertEquals(List.of("Host: a"), head.fields());
        assertEquals(Optional.of("a"), head.field("hOST"));
        assertEquals("body", new String(in.readAllBytes(), ISO_8859_1));
    }

    @Test
    void head_handedOn_losesWhatConcernsTheConnectionOnly() throws IOException {
        HttpHead head =
                read(
                        """
                        GET / HTTP/1.1
                        Connection: X-Hop, keep-alive
                        X-Hop: 1
                        Keep-Alive: 5
                        Proxy-Connection: close
                        Upgrade: h2c
                        Accept: */*

                        """);

        assertEquals(
                List.of("Accept: */*", "Connection: close"), head.withoutHopByHopFields().fields());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: a\r\n",
                "GET / HTTP/1.1\r\nA: b\rHost: c\r\n\r\n",
                "GET /\u0000 HTTP/1.1\r\n\r\n"
            })
    void head_thatEndsEarly_orHidesALine_isRefused(String text) {
        assertThrows(IOException.class, () -> read(text));
    }

    @Test
    void head_withoutEnd_isRefusedAtItsLimit() {
        assertThrows(
                IOException.class, () -> read("GET / HTTP/1.1\r\n" + "a: b\r\n".repeat(20_000)));
    }

    @Test
    void nothing_isNoHead() throws IOException {
        assertEquals(Optional.empty(), HttpHead.read(new ByteArrayInputStream(new byte[0])));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":80", "a:b", "a:99999", "a:0", "user@host:80", "[]:80"})
    void target_thatIsNone_isRefused(String text) {
        assertThrows(ProxyRefusal.class, () -> HostPort.parse(text, 80));
    }

    @Test
    void target_isHostAndPort() throws IOException {
        assertEquals(new HostPort("a.b", 443), HostPort.parse("A.b", 443));
        assertEquals(new HostPort("::1", 8080), HostPort.parse("[::1]:8080", 443));
    }
}
