package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.api.http.ListeningApi.AUTHORIZATION;
import static touchline.api.http.ListeningApi.rest;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** HTTP/1.0 and bodies that the server does not decode, on a real socket. */
final class Http10IT {
    @RegisterExtension static final ListeningApi API = new ListeningApi();

    @Test
    void get_inHttp10_isAnsweredAndTheConnectionCloses() throws IOException {
        for (String headers :
                List.of(
                        "",
                        "Host: live.example\r\nConnection: close\r\n",
                        "Host: live.example\r\nConnection: Keep-Alive\r\n")) {
            String reply =
                    API.untilClosed("GET /observe/health/live HTTP/1.0\r\n" + headers + "\r\n");

            assertTrue(reply.startsWith("HTTP/1.1 200 OK\r\n"), reply);
            assertTrue(reply.contains("\r\nConnection: close\r\n"), reply);
            assertTrue(reply.endsWith("}"), reply);
        }
    }

    @Test
    void consoleHealthChecksAndApi_answerInHttp10() throws IOException {
        assertTrue(API.untilClosed("GET / HTTP/1.0\r\n\r\n").contains("<html"));
        // What HAProxy's httpchk sends unless configured otherwise.
        assertTrue(API.untilClosed("OPTIONS / HTTP/1.0\r\n\r\n").startsWith("HTTP/1.1 204 "));
        assertTrue(
                API.untilClosed("HEAD /observe/health/live HTTP/1.0\r\n\r\n").endsWith("\r\n\r\n"));
        String refused = API.untilClosed("GET /live/v1/live-streams HTTP/1.0\r\n\r\n");
        assertTrue(refused.contains("\"code\":40101"), refused);
        String none = API.untilClosed("GET /nothing HTTP/1.0\r\n\r\n");
        assertTrue(none.startsWith("HTTP/1.1 404 ") && none.contains("40401"), none);
    }

    @Test
    void post_inHttp10_takesItsBody() throws IOException {
        String body = "{\"title\": \"Größe\"}";
        int length = body.getBytes(StandardCharsets.UTF_8).length;

        String reply =
                API.untilClosed(
                        "POST /live/v1/live-streams HTTP/1.0\r\nHost: a\r\n"
                                + AUTHORIZATION
                                + "Expect: 100-continue\r\nContent-Type: application/json\r\n"
                                + ("Content-Length: " + length + "\r\n\r\n")
                                + body);

        assertTrue(reply.startsWith("HTTP/1.1 200 OK\r\n"), reply);
        assertTrue(reply.contains("\"title\":\"Größe\""), reply);
    }

    @Test
    void streamedReply_inHttp10_hasNoChunks() throws IOException {
        String reply =
                API.untilClosed(
                        "GET /system/v1/events/stream?seconds=1 HTTP/1.0\r\n"
                                + AUTHORIZATION
                                + "\r\n");

        assertTrue(reply.startsWith("HTTP/1.1 200 OK\r\n"), reply);
        assertFalse(reply.toLowerCase(java.util.Locale.ROOT).contains("chunked"), reply);
        assertEquals(": connected", reply.substring(reply.indexOf("\r\n\r\n") + 4).strip());
    }

    @Test
    void malformedRequests_inHttp10_areRefusedWithTheEnvelope() throws IOException {
        for (String sent :
                List.of(
                        "GET /%zz HTTP/1.0\r\n\r\n",
                        "GET / HTTP/1.0\r\nBad Header\r\n\r\n",
                        "GET / HTTP/1.0\r\nX: " + "x".repeat(40_000) + "\r\n\r\n",
                        "GET /" + "x".repeat(20_000) + " HTTP/1.0\r\n\r\n",
                        "GET / HTTP/1.0\r\n" + "X: y\r\n".repeat(20_000) + "\r\n",
                        "POST /live/v1/live-streams HTTP/1.0\r\nContent-Length: -1\r\n\r\n",
                        "POST /live HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")) {
            String reply = API.untilClosed(sent);
            String start = sent.substring(0, Math.min(40, sent.length()));
            assertTrue(reply.startsWith("HTTP/1.1 4"), () -> start + " -> " + reply);
            assertTrue(reply.contains("\"request_id\""), reply);
        }
    }

    @Test
    void requestLine_inPieces_isStillHttp10() throws Exception {
        try (Socket socket = API.connect()) {
            OutputStream out = socket.getOutputStream();
            for (String piece : List.of("GET /observe/hea", "lth/live HTTP/1", ".0\r", "\n\r\n")) {
                // No answer can come before the last piece; most likely each is its own segment.
                assertEquals(0, socket.getInputStream().available());
                out.write(piece.getBytes(StandardCharsets.US_ASCII));
                out.flush();
            }
            assertTrue(rest(socket).startsWith("HTTP/1.1 200 OK\r\n"));
        }
    }

    @Test
    void compressedBody_is41501WithTheReason() throws IOException {
        String reply =
                API.untilClosed(
                        "POST /live/v1/live-streams HTTP/1.0\r\n"
                                + AUTHORIZATION
                                + "Content-Type: application/json\r\nContent-Encoding: gzip\r\n"
                                + "Content-Length: 2\r\n\r\n{}");

        assertTrue(reply.startsWith("HTTP/1.1 415 "), reply);
        assertTrue(reply.contains("41501") && reply.contains("Content-Encoding: "), reply);
        assertTrue(
                API.untilClosed(
                                "POST /live/v1/live-streams HTTP/1.0\r\n"
                                        + AUTHORIZATION
                                        + "Content-Type: application/json; charset=utf8\r\n"
                                        + "Content-Encoding: identity\r\n"
                                        + "Content-Length: 2\r\n\r\n{}")
                        .startsWith("HTTP/1.1 200 "));
    }
}
