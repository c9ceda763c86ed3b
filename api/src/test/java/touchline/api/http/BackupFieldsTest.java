package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.api.domain.PushRole;
import touchline.api.domain.Scope;
import touchline.media.StreamId;

/** The backup of a live stream: its settings, its key, and which encoder is shown. */
final class BackupFieldsTest {
    private static final String STREAMS = "/live/v1/live-streams";

    private ApiFixture api;

    @BeforeEach
    void open() {
        api = new ApiFixture();
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void create_withoutBackup_hasDefaultsAndNoKey() {
        JsonNode stream = api.create("{}");

        assertFalse(stream.get("backup").booleanValue());
        assertEquals(1, stream.get("failover_after").doubleValue());
        assertEquals(10, stream.get("failback_after").doubleValue());
        assertFalse(stream.has("backup_stream_key"));
    }

    @Test
    void create_withBackup_hasAKeyOfItsOwn_forWritersOnly() {
        JsonNode stream =
                api.create("{\"backup\": true, \"failover_after\": 0.5, \"failback_after\": 0}");
        String key = stream.get("backup_stream_key").textValue();

        assertTrue(stream.get("backup").booleanValue());
        assertEquals(0.5, stream.get("failover_after").doubleValue());
        assertEquals(0, stream.get("failback_after").doubleValue());
        assertNotEquals(stream.get("stream_key").textValue(), key);
        assertEquals(PushRole.BACKUP, api.streams.findByStreamKey(key).orElseThrow().role());
        JsonNode read =
                api.call(
                                "GET",
                                path(stream),
                                null,
                                Map.of("Authorization", api.bearer(Scope.LIVE_READ)))
                        .data();
        assertFalse(read.has("backup_stream_key"));
        assertTrue(read.get("backup").booleanValue());
    }

    @Test
    void patch_onAndOff_makesAndDeletesTheKey() {
        JsonNode stream = api.create("{\"failover_after\": 2.5}");
        String path = path(stream);

        JsonNode on = api.patch(path, "{\"backup\": true}").data();
        String key = on.get("backup_stream_key").textValue();
        assertEquals(2.5, on.get("failover_after").doubleValue());
        JsonNode same = api.patch(path, on.deepCopy().toString()).data();
        assertEquals(key, same.get("backup_stream_key").textValue());

        assertFalse(api.patch(path, "{\"backup\": false}").data().has("backup_stream_key"));
        assertTrue(api.streams.findByStreamKey(key).isEmpty());
        JsonNode again = api.patch(path, "{\"backup\": true, \"failover_after\": null}").data();
        assertNotEquals(key, again.get("backup_stream_key").textValue());
        assertEquals(1, again.get("failover_after").doubleValue());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "backup | 1 | true or false",
                "failover_after | 0.4 | 0.5 to 10.0",
                "failover_after | 10.1 | 0.5 to 10.0",
                "failover_after | \"1\" | a number",
                "failback_after | -1 | 0.0 to 3600.0",
                "failback_after | 3601 | 0.0 to 3600.0",
            })
    void invalid_isRefusedWithItsField(String field, String value, String reason) {
        TestReply reply = api.post(STREAMS, "{\"" + field + "\": " + value + "}");

        assertEquals(40002, reply.code());
        assertTrue(reply.text().contains(field) && reply.text().contains(reason), reply::text);
    }

    @Test
    void resetStreamKey_ofTheBackup_leavesTheOtherKey() {
        JsonNode stream = api.create("{\"backup\": true}");
        String path = path(stream) + "/reset-stream-key";

        JsonNode reset = api.post(path, "{\"source\": \"backup\"}").data();

        assertEquals(stream.get("stream_key"), reset.get("stream_key"));
        assertNotEquals(stream.get("backup_stream_key"), reset.get("backup_stream_key"));
        assertEquals(List.of(), api.live.calls);
        JsonNode both = api.post(path, null).data();
        assertNotEquals(stream.get("stream_key"), both.get("stream_key"));
        assertEquals(reset.get("backup_stream_key"), both.get("backup_stream_key"));
        String other = path(api.create("{}")) + "/reset-stream-key";
        assertEquals(40901, api.post(other, "{\"source\": \"backup\"}").code());
        assertEquals(40002, api.post(other, "{\"source\": \"both\"}").code());
    }

    @Test
    void source_needsABackupAnActiveSessionAndMedia() {
        JsonNode stream = api.create("{}");
        String path = path(stream) + "/source";
        assertEquals(40003, api.put(path, "{}").code());
        assertEquals(40002, api.put(path, "{\"source\": \"second\"}").code());
        assertEquals(40901, api.put(path, "{\"source\": \"auto\"}").code());
        api.patch(path(stream), "{\"backup\": true}");
        TestReply idle = api.put(path, "{\"source\": \"primary\"}");
        assertEquals(40901, idle.code());
        assertTrue(idle.text().contains("not active"), idle::text);

        api.live.start(new StreamId(stream.get("id").textValue()));

        TestReply absent = api.put(path, "{\"source\": \"backup\"}");
        assertEquals(40901, absent.code());
        assertTrue(absent.text().contains("sends nothing"), absent::text);
        JsonNode shown = api.put(path, "{\"source\": \"primary\"}").data();
        assertEquals("primary", shown.get("source").textValue());
        assertFalse(shown.at("/backup/connected").booleanValue());
        assertTrue(shown.at("/backup/offset_ms").isNull());
    }

    private static String path(JsonNode stream) {
        return STREAMS + "/" + stream.get("id").textValue();
    }
}
