package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class BackupRoutesTest {
    private static final String BACKUPS = "/system/v1/backups";

    private final ApiFixture api = new ApiFixture();

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void backup_isAnArchiveAndThenTheLastOne() {
        assertTrue(api.get(BACKUPS).data().path("last").isNull());

        TestReply archive = api.post(BACKUPS, null);

        assertEquals(200, archive.status(), archive::text);
        assertEquals("application/x-tar", archive.header("Content-Type").orElseThrow());
        assertTrue(archive.text().startsWith("manifest.json\0"));
        assertTrue(archive.text().contains("SHA256SUMS\0"));
        TestReply shown = api.get(BACKUPS);
        assertEquals(
                ApiFixture.START.getEpochSecond(), shown.data().at("/last/created_at").asLong());
        assertTrue(shown.data().at("/last/size_bytes").asLong() > 1_000, shown::text);
        assertTrue(shown.data().path("database_command").isNull());
    }

    @Test
    void backup_whileOneRuns_isAConflict() throws Exception {
        try (AutoCloseable _ = api.dependencies.backups().prepare(/* withMedia= */ false)) {
            TestReply refused = api.post(BACKUPS + "?with_media=true", null);

            assertEquals(40901, refused.code(), refused::text);
            assertTrue(api.get(BACKUPS).data().path("running").asBoolean());
        }
        assertEquals(200, api.post(BACKUPS + "?with_media=false", null).status());
    }

    @Test
    void withMedia_thatIsNoFlag_isNamed() {
        TestReply refused = api.post(BACKUPS + "?with_media=yes", null);

        assertEquals(40002, refused.code());
        assertEquals(List.of("with_media"), refused.badFields());
    }

    @Test
    void backup_withoutTheScope_isForbidden() {
        TestReply token =
                api.post(
                        "/system/v1/access-tokens",
                        "{\"name\": \"n\", \"scopes\": [\"live:read\"]}");
        Map<String, String> headers =
                Map.of("Authorization", "Bearer " + token.data().path("token").asText());

        assertEquals(403, api.call("POST", BACKUPS, null, headers).status());
        assertEquals(403, api.call("GET", BACKUPS, null, headers).status());
    }
}
