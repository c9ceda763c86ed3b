package touchline.api.app;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import touchline.overlay.page.PageRenderer;

/** A server with loaded demo models, with webhooks to this host allowed. */
final class ModeratedServer {
    private static final Duration LOADED = Duration.ofMinutes(3);

    private ModeratedServer() {}

    static TestServer start(Path folder) throws Exception {
        return loaded(TestServer.start(folder, environment(folder)));
    }

    /**
     * @param pages shows web pages in place of the browser
     */
    static TestServer start(Path folder, PageRenderer pages) throws Exception {
        return loaded(TestServer.start(folder, environment(folder), () -> pages));
    }

    private static Map<String, String> environment(Path folder) {
        return Map.of(
                "TOUCHLINE_MODERATION_DEMO_MODELS",
                "true",
                "TOUCHLINE_MODELS_DIR",
                folder.resolve("models").toString(),
                "TOUCHLINE_EGRESS_ALLOW",
                "127.0.0.0/8");
    }

    private static TestServer loaded(TestServer server) throws InterruptedException {
        try {
            awaitModels(server);
            return server;
        } catch (InterruptedException | AssertionError e) {
            server.close();
            throw e;
        }
    }

    static void awaitModels(TestServer server) throws InterruptedException {
        TestServer.await(
                "the demo models are loaded",
                LOADED,
                () ->
                        server.get(server.api("/observe/health/ready"))
                                .body()
                                .contains("\"moderation\":\"up\""));
    }
}
