package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import touchline.api.db.ReleasedRows;

/**
 * A whole server starts on the data folder of an earlier schema, and serves what is in it. {@code
 * H2UpgradeIT} migrates a database of each schema; a server sees a schema's number nowhere else.
 */
class UpgradeIT {
    private static final int EVERY = 5;

    @TempDir private Path folder;

    static List<Integer> versions() {
        return ReleasedRows.versions().stream().filter(version -> version % EVERY == 1).toList();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void server_onADataFolderOfAnEarlierSchema_servesItsRows(int version) throws Exception {
        ReleasedRows.makeIn(folder, version);
        Files.createDirectories(folder.resolve("assets"));

        try (TestServer server =
                TestServer.start(folder, Map.of("TOUCHLINE_MASTER_KEY", ReleasedRows.MASTER_KEY))) {
            JsonNode stream = server.stream("str_first");
            assertEquals("key-of-first", stream.path("stream_key").asText());
            assertEquals("idle", stream.path("status").asText());
            assertEquals("disable", server.status("str_second"));
            JsonNode session = server.call("GET", "/live/v1/sessions/ses_running", "", 200);
            assertEquals("interrupted", session.at("/data/end_reason").asText());
            assertEquals(200, tokenStatus(server));
            assertTotal(server, version >= 2 ? 1 : 0, "/live/v1/signing-keys");
            assertTotal(server, assets(version), "/video-streams/v1/assets");
            assertTotal(server, version >= 14 ? 2 : version >= 5 ? 1 : 0, "/system/v1/webhooks");
            assertTotal(server, version >= 8 ? 1 : 0, "/vodencoding/v1/tasks");
            assertTotal(server, version >= 6 ? 1 : 0, "/audit/v1/records/moderation-records");
        }
    }

    private static int assets(int version) {
        if (version < 3) {
            return 0;
        }
        return version >= 24 ? 5 : version >= 10 ? 4 : 3;
    }

    private static void assertTotal(TestServer server, int expected, String list) throws Exception {
        JsonNode reply = server.call("GET", list, "", 200);
        assertEquals(expected, reply.path("total").asInt(-1), () -> list + ": " + reply);
        assertTrue(reply.path("data").isArray());
    }

    private static int tokenStatus(TestServer server) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request =
                    HttpRequest.newBuilder(server.api("/live/v1/live-streams"))
                            .header("Authorization", "Bearer " + ReleasedRows.TOKEN)
                            .build();
            return client.send(request, BodyHandlers.discarding()).statusCode();
        }
    }
}
