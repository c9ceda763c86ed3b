package touchline.api.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;

/**
 * A web site as a client would have it: files out of its bucket, and pages that play them with
 * hls.js and dash.js. The page's {@code window.problems} holds what the player complained of, and
 * {@code window.hasEnded} says that it has played everything.
 */
final class PlayerSite implements AutoCloseable {
    private static final String PAGE =
            """
            <!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
            <video width="320" height="180"></video>
            <script type="module">
            const video = document.querySelector('video');
            window.problems = [];
            window.hasEnded = false;
            video.addEventListener('ended', () => window.hasEnded = true);
            video.addEventListener('error', () => window.problems.push(video.error.message));
            %s
            </script>
            """;
    private static final String HLS =
            """
            import Hls from '/console/vendor/hls.min.mjs';
            const hls = new Hls();
            window.levels = () => hls.levels.length;
            // A busy browser stands still at times: hls.js reports that, and it is no error.
            hls.on(Hls.Events.ERROR, (_, data) => {
              if (data.fatal || data.details !== 'bufferStalledError') {
                window.problems.push(data.details);
              }
            });
            hls.on(Hls.Events.MANIFEST_PARSED, () => video.play());
            hls.loadSource('/files/index.m3u8');
            hls.attachMedia(video);
            """;

    /**
     * dash.js ends by itself, and pauses, where the browser still waited for data as it asked for
     * the end.
     */
    private static final String DASH =
            """
            import { MediaPlayer } from '/players/dash.mediaplayer.min.mjs';
            const player = MediaPlayer().create();
            window.levels = () => player.getRepresentationsByType('video').length;
            player.on('playbackEnded', () => window.hasEnded = true);
            player.on('error', event => window.problems.push(event.error.message));
            player.initialize(video, '/files/manifest.mpd', true);
            """;

    private final HttpServer server;
    private final Path entry;

    /**
     * @param entry what a player is given; the other files lie beside it
     */
    PlayerSite(Path entry) throws IOException {
        this.entry = entry;
        this.server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/hls", exchange -> answer(exchange, "text/html", page(HLS)));
        server.createContext("/dash", exchange -> answer(exchange, "text/html", page(DASH)));
        server.createContext("/players/", PlayerSite::player);
        server.createContext("/console/vendor/", PlayerSite::player);
        server.createContext("/files/", this::file);
        server.start();
    }

    private static byte[] page(String script) {
        return PAGE.formatted(script).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * @param player {@code hls} or {@code dash}
     */
    String at(String player) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + player;
    }

    private static void player(HttpExchange exchange) throws IOException {
        try (InputStream script =
                PlayerSite.class.getResourceAsStream(exchange.getRequestURI().getPath())) {
            if (script == null) {
                throw new IOException("no resource " + exchange.getRequestURI());
            }
            answer(exchange, "text/javascript", script.readAllBytes());
        }
    }

    private void file(HttpExchange exchange) throws IOException {
        String name = exchange.getRequestURI().getPath().substring("/files/".length());
        Path file = entry.resolveSibling(name);
        if (Files.isRegularFile(file)) {
            answer(exchange, "application/octet-stream", Files.readAllBytes(file));
        } else {
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        }
    }

    private static void answer(HttpExchange exchange, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", type);
        exchange.sendResponseHeaders(200, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
