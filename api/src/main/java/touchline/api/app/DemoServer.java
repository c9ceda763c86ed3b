package touchline.api.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.asset.FolderTree;
import touchline.api.demo.DemoMatch;
import touchline.config.ServerConfig;
import touchline.overlay.scoreboard.ScoreboardSite;

/** A server whose only stream is the demo match. Its folder goes with it. */
final class DemoServer implements RunningServer {
    private static final Logger log = LoggerFactory.getLogger(DemoServer.class);
    private static final String LINE = "-".repeat(78);

    private final Server server;
    private final Path folder;
    private final DemoMatch match;
    private final DemoOperator operator;
    private final String table;

    private DemoServer(
            Server server, Path folder, DemoMatch match, DemoOperator operator, String table) {
        this.server = server;
        this.folder = folder;
        this.match = match;
        this.operator = operator;
        this.table = table;
    }

    /**
     * Starts the server, makes the stream by the server's own API, and begins to push.
     *
     * @param folder removed at the end, with everything in it
     * @param secret of the token {@code admin}
     */
    static DemoServer start(ServerConfig config, Path folder, String secret) throws IOException {
        Server server;
        try {
            server = Server.start(config);
        } catch (RuntimeException e) {
            FolderTree.remove(folder);
            throw e;
        }
        URI api = URI.create("http://127.0.0.1:" + server.apiPort());
        try (ApiClient client = new ApiClient(api, secret)) {
            JsonNode stream = client.post("/live/v1/live-streams", definition()).path("data");
            DemoMatch match =
                    DemoMatch.start(
                            DemoMatch.Settings.of(
                                    URI.create("rtmp://127.0.0.1:" + server.rtmpPort() + "/live"),
                                    stream.path("stream_key").asText()));
            DemoOperator operator = DemoOperator.start(api, secret, stream.path("id").asText());
            return new DemoServer(server, folder, match, operator, table(config, stream, secret));
        } catch (RuntimeException e) {
            server.close();
            FolderTree.remove(folder);
            throw e;
        }
    }

    /** Where to look, for a person. */
    String table() {
        return table;
    }

    @Override
    public void close() {
        operator.close();
        match.close();
        server.close();
        try {
            FolderTree.remove(folder);
        } catch (IOException e) {
            log.warn("could not remove {}: {}", folder, e.toString());
        }
    }

    /**
     * The scoreboard lies where the match leaves room for it: 640x150 from (24, 24) of 1280x720.
     */
    private static ObjectNode definition() {
        ObjectNode stream =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("title", "Riverside v Harbour City")
                        .put("user_metadata", "demo")
                        .put("record", true);
        stream.putObject("generate_watermark")
                .put("type", "html")
                .put("url", ScoreboardSite.URL)
                .putObject("overlay_settings")
                .put("width", "50%")
                .put("height", "20.833%")
                .put("horizontal_margin", "1.875%")
                .put("vertical_margin", "3.333%");
        return stream;
    }

    private static String table(ServerConfig config, JsonNode stream, String secret) {
        String id = stream.path("id").asText();
        String playbackId = stream.path("playback_ids").path(0).path("id").asText();
        return """

               %s
                 Touchline demo: a match is on the air. Ctrl-C ends it and removes its folder.

                 console   %s/
                 sign in   admin.%s
                 stream    %s/#/streams/%s
                 score     %s/#/streams/%s/scoreboard
                 HLS       %s/%s.m3u8
                 metrics   %s/observe/metrics
               %s

               """
                .formatted(
                        LINE,
                        config.publicUrls().apiUrl(),
                        secret,
                        config.publicUrls().apiUrl(),
                        id,
                        config.publicUrls().apiUrl(),
                        id,
                        config.publicUrls().playbackUrl(),
                        playbackId,
                        config.publicUrls().apiUrl(),
                        LINE);
    }
}
