package touchline.api.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The control API on a socket of its own, for all tests of a class that write requests by hand. */
final class ListeningApi implements AfterAllCallback {
    static final String AUTHORIZATION = "Authorization: " + ApiFixture.ADMIN + "\r\n";

    private static final int READ_TIMEOUT_MS = 20_000;

    private final ApiFixture api = new ApiFixture();
    private final ApiServer server =
            ApiServer.of(TestConfig.of(false), api.dependencies, Optional.empty());

    ListeningApi() {
        server.start();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        server.close();
        api.close();
    }

    Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(READ_TIMEOUT_MS);
        return socket;
    }

    /** Sends on a connection of its own, and reads until the server ends it. */
    String untilClosed(String sent) throws IOException {
        try (Socket socket = connect()) {
            send(socket, sent);
            return rest(socket);
        }
    }

    /** As {@link #untilClosed}, from a client that sends nothing else. */
    String onlyRequest(String sent) throws IOException {
        try (Socket socket = connect()) {
            send(socket, sent);
            socket.shutdownOutput();
            return rest(socket);
        }
    }

    static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
    }

    /** Up to the end of the connection. */
    static String rest(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
