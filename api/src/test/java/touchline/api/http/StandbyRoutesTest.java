package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.domain.Scope;
import touchline.media.StreamId;

/** The standby of a stream in the API, the operator's cut, and images of slates. */
final class StandbyRoutesTest {
    private static final String STREAMS = "/live/v1/live-streams";
    private static final String IMAGES = "/live/v1/images";

    private ApiFixture api;

    @BeforeEach
    void open() {
        api = new ApiFixture();
    }

    @AfterEach
    void close() {
        api.close();
    }

    private String created(String body) {
        return api.create(body).get("id").textValue();
    }

    private TestReply call(String method, String path, @Nullable String body) {
        return api.call(method, path, body, Map.of("Authorization", ApiFixture.ADMIN));
    }

    private TestReply patch(String id, String body) {
        return call("PATCH", STREAMS + "/" + id, body);
    }

    private TestReply upload(String file, String type) {
        return api.call(
                "POST",
                IMAGES,
                file,
                Map.of("Authorization", ApiFixture.ADMIN, "Content-Type", type));
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }

    @Test
    void create_withoutStandby_showsTheDefaults() {
        JsonNode stream = api.create("{}");

        assertEquals(json("{'mode':'none','after':1.5}"), stream.get("standby").toString());
        assertTrue(stream.path("active_standby").isMissingNode());
    }

    @Test
    void patch_changesTheNamedFieldsOnly_nullTakesBack() {
        String id = created(json("{'standby': {'mode': 'freeze', 'after': 0.3}}"));

        JsonNode changed = patch(id, json("{'standby': {'mode': 'slate'}}")).data();
        assertEquals(json("{'mode':'slate','after':0.3}"), changed.get("standby").toString());
        JsonNode same = patch(id, json("{'title': 'Cup final'}")).data();
        assertEquals(changed.get("standby"), same.get("standby"));
        JsonNode part = patch(id, json("{'standby': {'after': null}}")).data();
        assertEquals(json("{'mode':'slate','after':1.5}"), part.get("standby").toString());
        JsonNode back = patch(id, json("{'standby': null}")).data();
        assertEquals(json("{'mode':'none','after':1.5}"), back.get("standby").toString());
        assertTrue(api.live.calls.contains("settingsChanged " + id));
    }

    @Test
    void badValues_areNamedByTheirField() {
        Map<String, String> wrong =
                Map.of(
                        "{'standby': {'mode': 'loop'}}", "standby.mode",
                        "{'standby': {'after': 0.2}}", "standby.after",
                        "{'standby': {'after': 10.5}}", "standby.after",
                        "{'standby': {'after': '1'}}", "standby.after",
                        "{'standby': {'image_id': 'img_nothing'}}", "standby.image_id",
                        "{'standby': 'freeze'}", "standby");
        String id = created("{}");
        wrong.forEach(
                (body, field) -> {
                    for (TestReply reply :
                            List.of(api.post(STREAMS, json(body)), patch(id, json(body)))) {
                        assertEquals(40002, reply.code(), body);
                        assertEquals(
                                field, reply.json().at("/errors/0/field").textValue(), reply::text);
                    }
                });
    }

    @Test
    void cut_needsAnActiveStreamWithAMode() {
        String id = created("{}");
        String path = STREAMS + "/" + id + "/standby/";
        assertEquals(40901, call("PUT", path + "on", null).code());
        assertEquals(40401, call("PUT", STREAMS + "/str_nothing/standby/on", null).code());
        api.live.start(new StreamId(id));
        assertEquals(40901, call("PUT", path + "on", null).code());
        assertEquals(40901, call("PUT", path + "off", null).code());

        patch(id, json("{'standby': {'mode': 'freeze'}}"));
        assertEquals(200, call("PUT", path + "on", null).status());
        assertEquals(200, call("PUT", path + "on", null).status());
        assertEquals(200, call("PUT", path + "off", null).status());
        assertEquals(200, call("PUT", path + "off", null).status());
        String reader = api.bearer(Scope.LIVE_READ);
        assertEquals(
                40301, api.call("PUT", path + "on", null, Map.of("Authorization", reader)).code());
    }

    @Test
    void images_uploadListShowDelete() {
        JsonNode first = upload("one", "image/png").data();
        JsonNode second = upload("two", "image/jpeg").data();
        assertEquals(640, first.get("width").intValue());
        assertEquals(360, first.get("height").intValue());

        TestReply listed = api.get(IMAGES + "?limit=1");
        assertEquals(2, listed.json().get("total").intValue());
        assertEquals(second, listed.data().get(0));
        String path = IMAGES + "/" + first.get("image_id").textValue();
        TestReply file = call("GET", path, null);
        assertEquals("one", file.text());
        assertEquals("image/jpeg", file.header("Content-Type").orElseThrow());

        assertEquals(200, call("DELETE", path, null).status());
        assertEquals(40401, call("DELETE", path, null).code());
        assertEquals(40401, call("GET", path, null).code());
    }

    @Test
    void images_namedByAStream_cannotBeDeleted() {
        String image = upload("one", "image/png").data().get("image_id").textValue();
        String id = created(json("{'standby': {'mode': 'slate', 'image_id': '" + image + "'}}"));

        assertEquals(40901, call("DELETE", IMAGES + "/" + image, null).code());
        patch(id, json("{'standby': {'image_id': null}}"));
        assertEquals(200, call("DELETE", IMAGES + "/" + image, null).status());
    }

    @Test
    void images_otherTypesEmptyAndLargeFiles_areRefused() {
        assertEquals(41501, upload("one", "image/gif").code());
        assertEquals(41501, upload("{}", "application/json").code());
        assertEquals(40002, upload("", "image/png").code());
        assertEquals(41301, upload("x".repeat((8 << 20) + 1), "image/png").code());
        assertEquals(200, upload("x".repeat(900_000), "image/png").status());
    }
}
