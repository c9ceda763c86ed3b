package touchline.benchmarks.latency;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Serves the page with the player on loopback, from an origin other than the stream's, as a club's
 * site would: so CORS counts. hls.js is the copy that the console ships.
 */
final class PlayerPage implements AutoCloseable {
    private static final String HLS = "/console/vendor/hls.light.min.mjs";
    private static final String PAGE = "/latency/player.html";

    private final HttpServer server;

    private PlayerPage(HttpServer server) {
        this.server = server;
    }

    static PlayerPage serve() throws IOException {
        byte[] page = resource(PAGE);
        byte[] hls = resource(HLS);
        HttpServer server =
                HttpServer.create(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        /* backlog= */ 0);
        server.createContext("/", exchange -> answer(exchange, "text/html", page));
        server.createContext("/hls.mjs", exchange -> answer(exchange, "text/javascript", hls));
        server.start();
        return new PlayerPage(server);
    }

    /**
     * @param stream what viewers are given
     * @param startEpochMs when frame 0 was pushed
     * @param loopFrames after how many frames the numbers begin again
     */
    String address(URI stream, double startEpochMs, int loopFrames) {
        return "http://127.0.0.1:%d/?address=%s&start=%s&fps=%d&loop=%d"
                .formatted(
                        server.getAddress().getPort(),
                        URLEncoder.encode(stream.toString(), StandardCharsets.UTF_8),
                        startEpochMs,
                        NumberedFrames.FRAMES_PER_SECOND,
                        loopFrames);
    }

    @Override
    public void close() {
        server.stop(/* delay= */ 0);
    }

    private static void answer(HttpExchange exchange, String type, byte[] body) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream from = PlayerPage.class.getResourceAsStream(name)) {
            if (from == null) {
                throw new FileNotFoundException(name + " is not on the class path");
            }
            return from.readAllBytes();
        }
    }
}
