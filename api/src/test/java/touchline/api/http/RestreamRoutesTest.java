package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.api.domain.Scope;
import touchline.media.StreamId;

/** Restreams as rows; what they send is the subject of RestreamIT. */
final class RestreamRoutesTest {
    private static final String KEY = "abcd-efgh-ijkl";
    private static final String BODY =
            "{\"name\": \"Other\", \"url\": \"rtmps://live.test/app/\", \"stream_key\": \"%s\"}"
                    .formatted(KEY);

    private ApiFixture api;
    private StreamId stream;
    private String path;

    @BeforeEach
    void open() {
        api = new ApiFixture();
        stream = new StreamId(api.create("{}").get("id").textValue());
        path = "/live/v1/live-streams/" + stream + "/restreams";
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void create_showsEverythingButTheKey() {
        TestReply reply = api.post(path, BODY);

        assertEquals(200, reply.status(), reply.text());
        JsonNode restream = reply.data();
        assertEquals("Other", restream.get("name").textValue());
        assertEquals("rtmps://live.test/app/", restream.get("url").textValue());
        assertTrue(restream.get("enabled").booleanValue());
        assertEquals("idle", restream.get("state").textValue());
        assertTrue(restream.get("last_error").isNull());
        assertTrue(restream.get("since").isNull());
        assertEquals(0, restream.get("bitrate").intValue());
        assertFalse(reply.text().contains(KEY));
        assertEquals(restream, api.get(path).data().get(0));
        assertEquals(restream, api.get(path + "/" + id(restream)).data());
        assertEquals(
                KEY,
                api.dependencies.restreams().repository().enabled(stream).getFirst().streamKey());
    }

    @ParameterizedTest
    @CsvSource({
        "http://live.test/app, url",
        "rtmp://127.0.0.1/live, url",
        "rtmp://live.test, url",
        "rtmp://user:pass@live.test/app, url",
        "rtmp://live.test/app?key=1, url",
        "'', url"
    })
    void address_thatMayNotBeReached_isRefused(String url, String field) {
        TestReply reply = api.post(path, "{\"url\": \"%s\", \"stream_key\": \"k\"}".formatted(url));

        assertEquals(40002, reply.code(), reply.text());
        assertEquals(List.of(field), reply.badFields());
    }

    @Test
    void missingFields_areAllNamed() {
        TestReply reply = api.post(path, "{}");

        assertEquals(40003, reply.code());
        assertEquals(List.of("url", "stream_key"), reply.badFields());
    }

    @Test
    void badKey_isRefused_withoutBeingShown() {
        String body = BODY.replace(KEY, "secret\\n");

        TestReply reply = api.post(path, body);

        assertEquals(40002, reply.code());
        assertEquals(List.of("stream_key"), reply.badFields());
        assertFalse(reply.text().contains("secret"));
    }

    @Test
    void eleventh_isRefused() {
        for (int i = 0; i < 10; i++) {
            assertEquals(200, api.post(path, BODY).status());
        }

        assertEquals(40901, api.post(path, BODY).code());
        assertEquals(10, api.get(path).json().get("total").intValue());
        assertEquals(200, api.delete(path + "/" + id(api.get(path).data().get(0))).status());
        assertEquals(200, api.post(path, BODY).status());
    }

    @Test
    void patch_changesWhatItNames() {
        JsonNode restream = api.post(path, BODY).data();
        String one = path + "/" + id(restream);

        JsonNode off = api.patch(one, "{\"enabled\": false, \"name\": null}").data();
        assertFalse(off.get("enabled").booleanValue());
        assertEquals("", off.get("name").textValue());
        assertEquals(restream.get("url"), off.get("url"));
        assertEquals(List.of(), api.dependencies.restreams().repository().enabled(stream));

        api.patch(
                one, "{\"enabled\": null, \"stream_key\": \"new\", \"url\": \"rtmp://b.test/x\"}");
        var target = api.dependencies.restreams().repository().enabled(stream).getFirst();
        assertEquals("new", target.streamKey());
        assertEquals("rtmp://b.test/x", target.restream().url());

        TestReply state = api.patch(one, "{\"state\": \"live\"}");
        assertEquals(40002, state.code());
        assertEquals(List.of("state"), state.badFields());
        assertEquals(40002, api.patch(one, "{\"url\": \"rtmp://127.0.0.1/live\"}").code());
    }

    @Test
    void unknownStreamAndRestream_areNotFound() {
        assertEquals(40401, api.post("/live/v1/live-streams/str_x/restreams", BODY).code());
        assertEquals(40401, api.get("/live/v1/live-streams/str_x/restreams").code());
        assertEquals(40401, api.get(path + "/rst_x").code());
        assertEquals(40401, api.patch(path + "/rst_x", "{}").code());
        assertEquals(40401, api.delete(path + "/rst_x").code());
        String other = api.create("{}").get("id").textValue();
        String restream = id(api.post(path, BODY).data());
        assertEquals(
                40401, api.get("/live/v1/live-streams/" + other + "/restreams/" + restream).code());
    }

    @Test
    void deletedStream_takesItsRestreamsAlong() {
        api.post(path, BODY);

        api.delete("/live/v1/live-streams/" + stream);

        assertEquals(List.of(), api.dependencies.restreams().repository().enabled(stream));
    }

    @Test
    void reading_needsNoMoreThanItsScope() {
        Map<String, String> reader = Map.of("Authorization", api.bearer(Scope.LIVE_READ));

        assertEquals(200, api.call("GET", path, null, reader).status());
        assertEquals(403, api.call("POST", path, BODY, reader).status());
    }

    private static String id(JsonNode restream) {
        return restream.get("id").textValue();
    }
}
