package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.db.TestPostgres;
import touchline.config.ConfigLoader;
import touchline.config.DatabaseConfig;

/** Two servers with folders of their own on one database. */
final class SecondServerIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    private final DatabaseConfig database = TestPostgres.newDatabase();

    @TempDir private Path folder;

    private Map<String, String> environment(String name) {
        Map<String, String> environment = new HashMap<>();
        environment.put("TOUCHLINE_DB_URL", database.url().orElseThrow());
        environment.put("TOUCHLINE_DB_USER", database.user().orElseThrow());
        environment.put("TOUCHLINE_DB_PASSWORD", database.password().orElseThrow());
        environment.put("TOUCHLINE_MASTER_KEY", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
        environment.put("TOUCHLINE_DATA_DIR", folder.resolve(name).toString());
        environment.put("TOUCHLINE_API_PORT", "0");
        environment.put("TOUCHLINE_PLAYBACK_PORT", "0");
        environment.put("TOUCHLINE_RTMP_PORT", "0");
        return environment;
    }

    private Server start(String name) {
        return StartFailure.explained(
                () -> Server.start(new ConfigLoader(environment(name), Path.of(".")).load()));
    }

    @Test
    void second_isRefused_andTheFirstStaysOnAir() throws Exception {
        try (TestServer first = TestServer.start(folder.resolve("a"), environment("a"))) {
            JsonNode stream = first.createStream("{\"record\":true}");
            String id = stream.path("id").asText();
            try (Encoder encoder = Encoder.live(first.push(stream.path("stream_key").asText()))) {
                TestServer.await("active", SOON, () -> first.status(id).equals("active"));
                String session = first.stream(id).path("active_session_id").asText();

                StartException refused = assertThrows(StartException.class, () -> start("b"));

                String message = String.valueOf(refused.getMessage());
                assertTrue(message.contains("in use by the server"), message);
                assertTrue(message.contains("data folder " + folder.resolve("a")), message);
                assertTrue(encoder.isRunning(), encoder::output);
                assertEquals("active", first.status(id));
                assertEquals(session, first.stream(id).path("active_session_id").asText());
                JsonNode shown =
                        first.call("GET", "/live/v1/sessions/" + session, "", 200).path("data");
                assertTrue(
                        shown.path("end_reason").isMissingNode()
                                || shown.path("end_reason").isNull(),
                        shown::toString);
            }
        }
        start("b").close();
    }

    @Test
    void lease_takenByAnother_endsTheServer() throws Exception {
        try (Server server = start("a")) {
            CompletableFuture<String> failure = new CompletableFuture<>();
            Thread.ofVirtual()
                    .start(
                            () -> {
                                try {
                                    failure.complete(server.awaitFailure());
                                } catch (InterruptedException e) {
                                    failure.completeExceptionally(e);
                                }
                            });

            takeOver();

            assertTrue(
                    failure.get(20, TimeUnit.SECONDS).contains("the server host-z has taken over"));
        }
    }

    private void takeOver() throws Exception {
        try (Connection connection = TestPostgres.connect(database);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "UPDATE server_lease SET incarnation = incarnation + 1, name = 'host-z'");
        }
    }
}
