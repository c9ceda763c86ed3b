package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A client that is slower than the server: the socket takes only a part of a write. */
final class SlowReaderIT {
    /** Their replies, tens of megabytes, are more than the sockets of both sides hold. */
    private static final int REQUESTS = 60;

    private static final String REQUEST = "GET /openapi HTTP/1.1\r\nHost: localhost\r\n";

    private static final int WINDOW = 4 << 10;

    @RegisterExtension static final ListeningApi api = new ListeningApi();

    @Test
    void replies_beyondTheBuffers_loseNothing() throws Exception {
        String document = body(api.untilClosed(REQUEST + "Connection: close\r\n\r\n"));

        String replies;
        try (Socket usual = api.connect();
                Socket socket = new Socket()) {
            socket.setReceiveBufferSize(WINDOW);
            socket.setSoTimeout(usual.getSoTimeout());
            socket.connect(usual.getRemoteSocketAddress());
            ListeningApi.send(socket, (REQUEST + "\r\n").repeat(REQUESTS));
            ListeningApi.send(socket, REQUEST + "Connection: close\r\n\r\n");
            replies = ListeningApi.rest(socket);
        }

        int whole = 0;
        for (int at = replies.indexOf(document);
                at >= 0;
                at = replies.indexOf(document, at + document.length())) {
            whole++;
        }
        assertEquals(REQUESTS + 1, whole);
    }

    private static String body(String reply) {
        return reply.substring(reply.indexOf("\r\n\r\n") + 4);
    }
}
