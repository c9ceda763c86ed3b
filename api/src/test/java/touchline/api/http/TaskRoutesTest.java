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
import touchline.api.domain.Scope;

final class TaskRoutesTest {
    private static final String TASKS = "/vodencoding/v1/tasks";

    private final ApiFixture api = new ApiFixture();
    private String storage = "";

    @BeforeEach
    void register() {
        storage =
                api.post(
                                "/vodencoding/v1/add_storage",
                                """
                                {"type": "file", "bucket": "archive", "prefix": "vod",
                                 "notify": "https://client.example/done"}
                                """)
                        .data()
                        .get("storage_id")
                        .asText();
    }

    @AfterEach
    void close() {
        api.close();
    }

    private TestReply create(String input, String outputs) {
        return api.post(
                TASKS,
                """
                {"storage_id": "%s", "input": "%s", "outputs": %s}
                """
                        .formatted(storage, input, outputs));
    }

    @Test
    void request_withFourOutputs_makesFourTasks() {
        TestReply reply =
                create(
                        "https://media.example/a.mp4",
                        """
                        [{"format": "mp4", "height": 721, "video_bitrate": 800000},
                         {"format": "hls", "height": [720, 360]},
                         {"format": "dash"},
                         {"format": "flv", "filename": "goal.flv", "audio_bitrate": 96000}]
                        """);

        assertEquals(202, reply.status(), reply.text());
        JsonNode tasks = reply.data().get("tasks");
        assertEquals(4, tasks.size());
        JsonNode first = tasks.get(0);
        assertEquals("queued", first.get("status").asText());
        assertEquals(0.0, first.get("progress").asDouble());
        assertEquals(720, first.get("height").asInt());
        assertEquals(
                "archive/vod/" + first.get("task_id").asText() + "/output.mp4",
                first.get("output").asText());
        assertTrue(tasks.get(1).get("output").asText().endsWith("/index.m3u8"));
        assertTrue(tasks.get(2).get("output").asText().endsWith("/manifest.mpd"));
        assertTrue(tasks.get(3).get("output").asText().endsWith("/goal.flv"));
    }

    @Test
    void request_withRenditions_showsThem() {
        TestReply reply =
                create(
                        "https://media.example/a.mp4",
                        """
                        [{"format": "hls", "renditions": true},
                         {"format": "mp4", "height": 720, "renditions": false}]
                        """);

        assertEquals(202, reply.status(), reply.text());
        JsonNode tasks = reply.data().get("tasks");
        assertTrue(tasks.get(0).get("renditions").asBoolean(), reply.text());
        assertFalse(tasks.get(1).has("renditions"), reply.text());
        String id = tasks.get(0).get("task_id").asText();
        assertTrue(api.get(TASKS + "/" + id).data().get("renditions").asBoolean());
    }

    @Test
    void renditions_thatAnOutputCannotHave_areNamed() {
        TestReply reply =
                create(
                        "https://media.example/a.mp4",
                        """
                        [{"format": "mp4", "renditions": true}, {"format": "dash", "renditions": true},
                         {"format": "hls", "height": 480, "renditions": true},
                         {"format": "hls", "renditions": "auto"}, {"format": "hls", "renditions": null}]
                        """);

        assertEquals(40002, reply.code(), reply.text());
        assertEquals(
                List.of(
                        "outputs[0].renditions",
                        "outputs[1].renditions",
                        "outputs[2].renditions",
                        "outputs[3].renditions",
                        "outputs[4].renditions"),
                reply.badFields());
    }

    @Test
    void request_withoutFields_namesThemAll() {
        TestReply reply = api.post(TASKS, "{}");

        assertEquals(40003, reply.code());
        assertEquals(List.of("storage_id", "input", "outputs"), reply.badFields());
    }

    @Test
    void request_withBadFields_namesThemAll() {
        TestReply reply =
                create(
                        "file:///etc/passwd",
                        """
                        [{"format": "avi", "height": 0}, {"format": "mp4", "height": [1, 2]},
                         {"format": "hls", "height": 5000}, {"format": "mp4", "filename": "../x.mp4"},
                         {"format": "mp4", "filename": "x.exe"}, {"format": "mp4", "video_bitrate": 1},
                         7, {}]
                        """);

        assertEquals(40002, reply.code());
        assertEquals(
                List.of(
                        "input",
                        "outputs[6]",
                        "outputs[0].format",
                        "outputs[0].height",
                        "outputs[1].height",
                        "outputs[2].height",
                        "outputs[3].filename",
                        "outputs[4].filename",
                        "outputs[5].video_bitrate",
                        "outputs[7].format"),
                reply.badFields());
    }

    @Test
    void request_withTooManyOutputs_isRefused() {
        String many = "[" + "{\"format\": \"mp4\"},".repeat(16) + "{\"format\": \"mp4\"}]";

        assertEquals(40002, create("https://media.example/a.mp4", many).code());
        assertEquals(40002, create("https://media.example/a.mp4", "[]").code());
    }

    @Test
    void request_ofWhatIsNotThere_isNotFound() {
        assertEquals(40401, create("asset:none", "[{\"format\": \"mp4\"}]").code());
        storage = "sto_none";
        assertEquals(
                40401, create("https://media.example/a.mp4", "[{\"format\": \"mp4\"}]").code());
    }

    /** Else a token without assets:read copies any asset into a storage of its own. */
    @Test
    void assetAsInput_withoutAssetsRead_isForbidden() {
        String body =
                """
                {"storage_id": "%s", "input": "asset:none", "outputs": [{"format": "mp4"}]}
                """
                        .formatted(storage);

        TestReply refused =
                api.call(
                        "POST",
                        TASKS,
                        body,
                        Map.of("Authorization", api.bearer(Scope.VOD_READ, Scope.VOD_WRITE)));
        TestReply missing =
                api.call(
                        "POST",
                        TASKS,
                        body,
                        Map.of("Authorization", api.bearer(Scope.VOD_WRITE, Scope.ASSETS_READ)));

        assertEquals(40301, refused.code());
        assertTrue(refused.text().contains("assets:read"), refused::text);
        assertEquals(40401, missing.code());
    }

    @Test
    void tasks_areListedNewestFirst_byStatus() {
        create("https://media.example/a.mp4", "[{\"format\": \"mp4\"}, {\"format\": \"flv\"}]");

        TestReply list = api.get(TASKS + "?limit=1");
        assertEquals("flv", list.data().get(0).get("format").asText());
        assertEquals(2, list.json().get("total").asInt());
        assertEquals(2, api.get(TASKS + "?status=queued").data().size());
        assertEquals(0, api.get(TASKS + "?status=running").data().size());
        assertEquals(40002, api.get(TASKS + "?status=done").code());
    }

    @Test
    void task_canceled_staysSo() {
        String id =
                create("https://media.example/a.mp4", "[{\"format\": \"mp4\"}]")
                        .data()
                        .get("tasks")
                        .get(0)
                        .get("task_id")
                        .asText();

        TestReply canceled = api.delete(TASKS + "/" + id);
        assertEquals(200, canceled.status(), canceled.text());
        assertEquals("canceled", canceled.data().get("status").asText());
        assertEquals(1009, canceled.data().get("error_code").asInt());
        assertEquals(200, api.delete(TASKS + "/" + id).status());
        JsonNode shown = api.get(TASKS + "/" + id).data();
        assertEquals("canceled", shown.get("status").asText());
        assertEquals("waiting", shown.get("notification").get("status").asText());
        assertEquals(40401, api.delete(TASKS + "/task_none").code());
    }

    private TestReply once(String body) {
        return api.call(
                "POST",
                TASKS,
                body,
                Map.of("Authorization", ApiFixture.ADMIN, "Idempotency-Key", "key-1"));
    }

    @Test
    void request_repeatedWithItsKey_makesNothingMore() {
        String body =
                """
                {"storage_id": "%s", "input": "https://media.example/a.mp4",
                 "outputs": [{"format": "mp4"}]}
                """
                        .formatted(storage);

        TestReply first = once(body);
        TestReply again = once(body);

        assertEquals(202, again.status());
        assertEquals(first.data(), again.data());
        assertEquals(1, api.get(TASKS).data().size());
    }
}
