package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.media.StreamId;

/** Changes of a live stream: the change is committed first, then the session is notified. */
final class LiveStreamActionsTest {
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
    void delete_ofActiveStream_endsItAndRemovesIt() {
        String id = api.create("{}").get("id").textValue();
        api.live.start(new StreamId(id));

        TestReply reply = api.delete(STREAMS + "/" + id);

        assertEquals(0, reply.code());
        assertTrue(reply.data().isNull());
        assertEquals(List.of("end " + id + " DELETED"), api.live.calls);
        assertEquals(40401, api.get(STREAMS + "/" + id).code());
        assertEquals(40401, api.delete(STREAMS + "/" + id).code());
    }

    @Test
    void disableAndEnable_repeated_areIdempotent() {
        String id = api.create("{}").get("id").textValue();
        String path = STREAMS + "/" + id;
        api.live.start(new StreamId(id));

        for (int i = 0; i < 2; i++) {
            JsonNode stream = api.put(path + "/disable", null).data();
            assertEquals("disable", stream.get("status").textValue());
            assertTrue(stream.get("active_session_id").isNull());
        }
        for (int i = 0; i < 2; i++) {
            JsonNode stream = api.put(path + "/enable", null).data();
            assertEquals("idle", stream.get("status").textValue());
        }
        assertEquals(List.of("end " + id + " DISABLED", "end " + id + " DISABLED"), api.live.calls);
        assertEquals(List.of(new StreamId(id), new StreamId(id)), api.live.enabled);
    }

    @Test
    void complete_ofActiveStream_endsItsSession() {
        String id = api.create("{}").get("id").textValue();
        api.live.start(new StreamId(id));

        for (int i = 0; i < 2; i++) {
            JsonNode stream = api.put(STREAMS + "/" + id + "/complete", null).data();
            assertEquals("idle", stream.get("status").textValue());
        }
        assertEquals("end " + id + " COMPLETED", api.live.calls.getFirst());
    }

    @Test
    void resetStreamKey_replacesItAndCutsTheEncoder() {
        JsonNode before = api.create("{}");
        String id = before.get("id").textValue();

        JsonNode after = api.post(STREAMS + "/" + id + "/reset-stream-key", null).data();

        String oldKey = before.get("stream_key").textValue();
        String newKey = after.get("stream_key").textValue();
        assertNotEquals(oldKey, newKey);
        assertTrue(api.streams.findByStreamKey(oldKey).isEmpty());
        assertEquals(id, api.streams.findByStreamKey(newKey).orElseThrow().stream().id().value());
        assertEquals(List.of("streamKeyReset " + id), api.live.calls);
    }

    @Test
    void playbackIds_addedAndDeleted_areReported() {
        String id = api.create("{}").get("id").textValue();
        String path = STREAMS + "/" + id + "/playback-ids";

        JsonNode open = api.post(path, null).data();
        JsonNode signed = api.post(path, "{\"policy\": \"signed\"}").data();

        assertEquals("public", open.get("policy").textValue());
        assertEquals("signed", signed.get("policy").textValue());
        String added = signed.get("id").textValue();
        assertEquals(3, api.get(STREAMS + "/" + id).data().get("playback_ids").size());
        assertEquals(0, api.delete(path + "/" + added).code());
        assertEquals(40401, api.delete(path + "/" + added).code());
        assertEquals(2, api.get(STREAMS + "/" + id).data().get("playback_ids").size());
        String call = "playbackIdsChanged " + id;
        assertEquals(List.of(call, call, call), api.live.calls);
        assertEquals(List.of("policy"), api.post(path, "{\"policy\": \"open\"}").badFields());
    }

    @Test
    void playbackIds_ofAnotherStream_areNotDeleted() {
        JsonNode one = api.create("{}");
        String other = api.create("{}").get("id").textValue();
        String playbackId = one.at("/playback_ids/0/id").textValue();

        assertEquals(
                40401, api.delete(STREAMS + "/" + other + "/playback-ids/" + playbackId).code());
    }

    @Test
    void playbackIds_beyondTwenty_areRefused() {
        JsonNode stream = api.create("{\"policy\": [" + "\"public\",".repeat(19) + "\"public\"]}");

        TestReply reply =
                api.post(STREAMS + "/" + stream.get("id").textValue() + "/playback-ids", "{}");

        assertEquals(40901, reply.code());
    }
}
