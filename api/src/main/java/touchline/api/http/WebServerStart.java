package touchline.api.http;

import io.helidon.webserver.WebServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Starts a web server that listens, or says why it does not. Stateless. */
final class WebServerStart {
    private WebServerStart() {}

    /**
     * Starts it.
     *
     * @param address that it is to listen on
     * @return false if it does not listen although the address can be bound
     * @throws IOException the address cannot be bound
     */
    static boolean start(WebServer server, InetSocketAddress address) throws IOException {
        startQuietly(server);
        if (!server.isRunning()) {
            tryAddress(address);
        }
        return server.isRunning();
    }

    /** Without the web server's log: it has a stack trace for an address that is in use. */
    private static void startQuietly(WebServer server) {
        Logger quiet = Logger.getLogger("io.helidon.webserver");
        Level before = quiet.getLevel();
        quiet.setLevel(Level.OFF);
        try {
            server.start();
        } finally {
            quiet.setLevel(before);
        }
    }

    /**
     * Finds out why the server does not listen. Only then: a child process that starts meanwhile
     * inherits the socket for a moment, and the address would stay in use.
     */
    private static void tryAddress(InetSocketAddress address) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
        }
    }
}
