package touchline.api.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.access.AccessTokens;
import touchline.api.access.Credential;
import touchline.api.access.SignInCode;
import touchline.api.asset.FolderTree;
import touchline.api.demo.DemoMatch;
import touchline.config.ServerConfig;
import touchline.overlay.scoreboard.ScoreboardSite;

/** A server with the demo match as its only stream. Closing it removes its folder. */
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
     * Starts the server, creates the stream through the server's API, and publishes the match.
     *
     * @param folder removed with its contents by {@link #close}
     * @param secret of the token {@code admin}
     */
    static DemoServer start(ServerConfig config, Path folder, String secret) throws IOException {
        Server server;
        Credential admin = new Credential(AccessTokens.ADMIN_ID, secret);
        String code = SignInCode.newText();
        try {
            server = Server.start(config, new SignInCode(code, admin, InstantSource.system()));
        } catch (RuntimeException e) {
            FolderTree.remove(folder);
            throw e;
        }
        URI api = URI.create("http://127.0.0.1:" + server.apiPort());
        try (ApiClient client = new ApiClient(api, secret)) {
            JsonNode stream = client.post("/live/v1/live-streams", definition()).path("data");
            DemoMatch match =
                    DemoMatch.startAdaptive(
                            DemoMatch.Settings.of(
                                    URI.create("rtmp://127.0.0.1:" + server.rtmpPort() + "/live"),
                                    stream.path("stream_key").asText()));
            DemoOperator operator = DemoOperator.start(api, secret, stream.path("id").asText());
            return new DemoServer(
                    server, folder, match, operator, table(config, stream, admin, code));
        } catch (RuntimeException e) {
            server.close();
            FolderTree.remove(folder);
            throw e;
        }
    }

    /** Addresses and credentials, to be printed. */
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
     * The scoreboard covers a free area of the match: 640x150 from (24, 24) of 1280x720. Sampling
     * every 2 s finds each banner of the match. The reconnect window keeps the session where a busy
     * host makes the match publish again with fewer frames.
     */
    private static ObjectNode definition() {
        ObjectNode stream =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("title", "Riverside v Harbour City")
                        .put("user_metadata", "demo")
                        .put("latency_mode", "low")
                        .put("record", true)
                        .put("reconnect_window", 10);
        stream.putObject("audit_settings")
                .put("frame_interval", 2)
                .putObject("models")
                .put("nude", 0.6)
                .put("weapon", 0.6);
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

    private static String table(
            ServerConfig config, JsonNode stream, Credential admin, String code) {
        String console = config.publicUrls().apiUrl().toString();
        String page = console + "/#/streams/" + stream.path("id").asText();
        String playbackId = stream.path("playback_ids").path(0).path("id").asText();
        return """

        %s
          Touchline demo: a match is live. Ctrl-C ends it and removes its folder.

          sign in     %s/#/sign-in/%s
                      (works once, for %d minutes; after that use the token)
          token       %s

          stream      %s
          scoreboard  %s/scoreboard
          alerts      %s/#/moderation
          HLS         %s/%s.m3u8
          metrics     %s/observe/metrics
        %s

        """
                .formatted(
                        LINE,
                        console,
                        code,
                        SignInCode.LIFETIME.toMinutes(),
                        admin.bearerText(),
                        page,
                        page,
                        console,
                        config.publicUrls().playbackUrl(),
                        playbackId,
                        console,
                        LINE);
    }
}
