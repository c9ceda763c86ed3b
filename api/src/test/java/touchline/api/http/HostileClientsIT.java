package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.api.http.ListeningApi.AUTHORIZATION;
import static touchline.api.http.ListeningApi.rest;
import static touchline.api.http.ListeningApi.send;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clients that keep connections busy or frame requests in two ways, on a real socket. */
final class HostileClientsIT {
    private static final String STREAMS = "/live/v1/live-streams";

    @RegisterExtension static final ListeningApi API = new ListeningApi();

    @Test
    void bodiesThatNeverCome_leaveOtherCallsAlone() throws IOException {
        String head =
                "POST %s HTTP/1.1\r\nHost: a\r\n%sContent-Type: application/json\r\nExpect:"
                        + " 100-continue\r\nContent-Length: 100\r\n\r\n";
        List<Socket> waiting = new ArrayList<>();
        try {
            for (int i = 0; i < 1_100; i++) {
                Socket socket = API.connect();
                waiting.add(socket);
                send(socket, head.formatted(STREAMS, AUTHORIZATION));
            }
            for (Socket socket : waiting) {
                // The server reads the body from now on.
                assertTrue(line(socket.getInputStream()).startsWith("HTTP/1.1 "));
            }

            for (String path : List.of("/observe/health/live", STREAMS)) {
                String reply =
                        API.onlyRequest(
                                "GET "
                                        + path
                                        + " HTTP/1.1\r\nHost: a\r\n"
                                        + AUTHORIZATION
                                        + "\r\n");
                assertTrue(reply.startsWith("HTTP/1.1 200 "), path + " -> " + reply);
            }
        } finally {
            for (Socket socket : waiting) {
                socket.close();
            }
        }
    }

    @Test
    void refusal_closesWithoutWaitingForTheBody() throws IOException {
        try (Socket socket = API.connect()) {
            send(socket, "POST " + STREAMS + " HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n");

            // To the end of the connection.
            String reply = rest(socket);

            assertTrue(reply.startsWith("HTTP/1.1 401 "), reply);
            assertTrue(reply.contains("Connection: close"), reply);
        }
    }

    /** The client may wait for the end of the connection, not of the body (RFC 9112, 9.6). */
    @Test
    void requestThatClosesTheConnection_isTheLastOne() throws IOException {
        for (String option :
                List.of("close", "Close", "TE, close", "Upgrade, close\r\nUpgrade: h2c")) {
            try (Socket socket = API.connect()) {
                send(
                        socket,
                        "GET /observe/health/live HTTP/1.1\r\nHost: a\r\nConnection: "
                                + option
                                + "\r\n\r\n");

                // To the end of the connection.
                String reply = rest(socket);

                assertTrue(reply.startsWith("HTTP/1.1 200 "), reply);
                assertTrue(reply.contains("Connection: close"), reply);
            }
        }
    }

    @Test
    void bodyBehindARefusal_isNoRequest() throws IOException {
        String second = "GET /observe/health/live HTTP/1.1\r\nHost: a\r\n\r\n";

        String reply =
                API.onlyRequest(
                        "POST "
                                + STREAMS
                                + " HTTP/1.1\r\nHost: a\r\nContent-Length: "
                                + second.length()
                                + "\r\n\r\n"
                                + second);

        assertTrue(reply.startsWith("HTTP/1.1 401 "), reply);
        assertFalse(reply.contains("HTTP/1.1 200"), reply);
    }

    @Test
    void bodiesWithTwoEnds_are400AndTheConnectionCloses() throws IOException {
        String chunked = "Transfer-Encoding: chunked\r\n";
        for (String framing :
                List.of(
                        "Content-Length: 5\r\n" + chunked,
                        chunked + "Content-Length: 5\r\n",
                        "Content-Length: 5\r\nContent-Length: 6\r\n",
                        "Content-Length: 5\r\nContent-Length: 5\r\n",
                        "Content-Length: 5, 5\r\n",
                        "Content-Length: +5\r\n",
                        "Content-Length: 0x5\r\n",
                        "Content-Length: 5 5\r\n",
                        "Content-Length: \r\n",
                        "Content-Length: 99999999999999999999\r\n",
                        chunked + chunked,
                        "Transfer-Encoding: gzip, chunked\r\n",
                        "Transfer-Encoding: identity\r\n",
                        "Transfer-Encoding: xchunked\r\n")) {
            try (Socket socket = API.connect()) {
                send(
                        socket,
                        "POST "
                                + STREAMS
                                + " HTTP/1.1\r\nHost: a\r\n"
                                + AUTHORIZATION
                                + framing
                                + "\r\n0\r\n\r\nGET /observe/health/live HTTP/1.1\r\n"
                                + "Host: a\r\n\r\n");

                String reply = rest(socket);

                assertTrue(reply.startsWith("HTTP/1.1 400 "), framing + " -> " + reply);
                assertEquals(0, reply.lastIndexOf("HTTP/1.1 "), framing + " -> " + reply);
                assertTrue(reply.contains("\"code\":40002"), framing + " -> " + reply);
            }
        }
    }

    /** Each of them is the client's fault: a reply or a closed connection, and no stack trace. */
    @Test
    void brokenAndUnfinishedRequests_leaveNoStackTraceInTheLog() throws IOException {
        String head =
                "POST "
                        + STREAMS
                        + " HTTP/1.1\r\nHost: a\r\n"
                        + AUTHORIZATION
                        + "Content-Type: application/json\r\n";
        String chunked = head + "Transfer-Encoding: chunked\r\n\r\n";
        try (StackTraces traces = new StackTraces()) {
            for (String chunks :
                    List.of(
                            "zz\r\n{}\r\n0\r\n\r\n",
                            "-1\r\n{}\r\n0\r\n\r\n",
                            "\r\n{}\r\n0\r\n\r\n",
                            "2;name=value\r\n{}\r\n0\r\n\r\n",
                            "ffffffff\r\n{}\r\n0\r\n\r\n",
                            "7fffffff\r\n{}\r\n0\r\n\r\n",
                            "fffffffffffffffff\r\n{}\r\n0\r\n\r\n",
                            "2\r\n{}0\r\n\r\n",
                            "2\r\n{}\n0\r\n\r\n",
                            "2\r\n{}\r\n0\r\nmore\r\n\r\n",
                            "5\r\n{}",
                            "5",
                            "2\r\n{}\r\n",
                            "2\r\n{}\r\n0\r\n")) {
                String reply = API.onlyRequest(chunked + chunks);
                assertFalse(reply.contains("HTTP/1.1 500"), chunks + " -> " + reply);
                assertFalse(reply.contains("\"code\":50001"), chunks + " -> " + reply);
            }
            for (String request :
                    List.of(
                            head + "Content-Length: 100\r\n\r\n{",
                            head + "Content-Length: 100\r\n\r\n",
                            head,
                            "POST " + STREAMS,
                            "POST",
                            "\r\n\r\n\r\n",
                            "\0\1\2\3\r\n\r\n",
                            "GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n",
                            "GET / HTTP/1.1\nHost: a\n\n",
                            "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n",
                            "GET /?%zz=%1 HTTP/1.1\r\nHost: a\r\n\r\n",
                            "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
                            "GET / HTTP/1.1\r\nHost: a:b\r\n\r\n",
                            "GET / HTTP/1.1\r\n\r\n")) {
                String reply = API.onlyRequest(request);
                assertFalse(reply.contains("HTTP/1.1 500"), request + " -> " + reply);
            }
            assertEquals(List.of(), traces.found());
        }
    }

    @Test
    void http2WithoutTls_isRefused() throws IOException {
        String preface = API.onlyRequest("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0");
        assertTrue(preface.startsWith("HTTP/1.1 4"), preface);
        String upgrade =
                API.onlyRequest(
                        """
                        GET /observe/health/live HTTP/1.1
                        Host: a
                        Connection: Upgrade, HTTP2-Settings
                        Upgrade: h2c
                        HTTP2-Settings: AAMAAABkAAQAAP__

                        """
                                .replace("\n", "\r\n"));
        assertTrue(upgrade.startsWith("HTTP/1.1 200 "), upgrade);
    }

    @Test
    void tooManyFailedAuthentications_closeTheConnection() throws IOException {
        String attempt =
                "GET "
                        + STREAMS
                        + " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer admin.guess\r\n\r\n";
        try (Socket socket = API.connect()) {
            send(socket, attempt.repeat(30));

            String replies = rest(socket);

            assertEquals(1, replies.split("HTTP/1.1 429 ", -1).length - 1, replies);
            assertTrue(replies.contains("\"code\":42901"), replies);
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString();
    }
}
