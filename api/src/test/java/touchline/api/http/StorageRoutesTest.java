package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.api.storage.StorageFailures;

final class StorageRoutesTest {
    private static final String ADD = "/vodencoding/v1/add_storage";
    private static final String OSS =
            """
            {"type": "oss", "region": "cn-hangzhou", "bucket": "match-archive",
             "prefix": "/touchline/vod/", "storage_ak": "LTAI-ak", "storage_sk": "very-secret-key",
             "notify": "https://client.example/done"}
            """;

    private final ApiFixture api = new ApiFixture();

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void storage_accepted_isTriedAndShownWithoutKeys() {
        TestReply reply = api.post(ADD, OSS);

        assertEquals(200, reply.status(), reply.text());
        assertTrue(reply.data().get("storage_id").asText().startsWith("sto_"));
        assertEquals("touchline/vod", reply.data().get("prefix").asText());
        assertEquals(
                "very-secret-key", api.encoding.tried.getFirst().keys().orElseThrow().secretKey());
        assertFalse(reply.text().contains("very-secret"), reply.text());
        assertFalse(reply.text().contains("LTAI"), reply.text());
        assertFalse(reply.text().contains("storage_sk"), reply.text());
        TestReply list = api.get(ADD);
        assertEquals(1, list.data().size());
        assertFalse(list.text().contains("very-secret"));
        assertFalse(list.text().contains("LTAI"));
    }

    @Test
    void storage_thatRefusesTheKeys_isNotTaken() {
        api.encoding.refusal = StorageFailures.refused("storage_sk", "the secret key is wrong");

        TestReply reply = api.post(ADD, OSS);

        assertEquals(40002, reply.code());
        assertEquals(List.of("storage_sk"), reply.badFields());
        assertTrue(reply.text().contains("the secret key is wrong"));
        assertFalse(reply.text().contains("very-secret"));
        assertEquals(0, api.get(ADD).data().size());
    }

    @Test
    void storage_whoseNameHasNoAddressNow_isTakenWithAWarning() {
        api.encoding.refusal = StorageFailures.unresolved();

        TestReply reply = api.post(ADD, OSS);

        assertEquals(0, reply.code());
        assertTrue(reply.text().contains("the storage could not be tried"), reply::text);
        assertEquals(1, api.get(ADD).data().size());
    }

    @Test
    void storage_withoutFields_namesThemAll() {
        TestReply reply = api.post(ADD, "{}");

        assertEquals(40003, reply.code());
        assertEquals(List.of("type", "bucket", "notify"), reply.badFields());
        assertEquals(
                List.of("region", "storage_ak", "storage_sk"),
                api.post(
                                ADD,
                                """
                                {"type": "s3", "bucket": "abc", "notify": "https://c.example/"}
                                """)
                        .badFields());
    }

    @Test
    void storage_withBadFields_namesThemAll() {
        TestReply reply =
                api.post(
                        ADD,
                        """
                        {"type": "s3", "region": "a b", "bucket": "../etc", "prefix": "a/../b",
                         "endpoint": "https://127.0.0.1/", "storage_ak": "a b", "storage_sk": "",
                         "notify": "http://c.example/", "notify_secret": "whsec_short"}
                        """);

        assertEquals(40002, reply.code());
        assertEquals(
                List.of(
                        "bucket",
                        "prefix",
                        "endpoint",
                        "region",
                        "storage_ak",
                        "storage_sk",
                        "notify",
                        "notify_secret"),
                reply.badFields());
        assertEquals(List.of(), api.encoding.tried);
    }

    @Test
    void folder_needsNoKeys() {
        TestReply reply =
                api.post(
                        ADD,
                        """
                        {"type": "file", "bucket": "archive", "notify": "https://c.example/"}
                        """);

        assertEquals(200, reply.status(), reply.text());
    }

    @Test
    void storage_deleted_isGone() {
        String id = api.post(ADD, OSS).data().get("storage_id").asText();

        assertEquals(200, api.delete("/vodencoding/v1/storages/" + id).status());
        assertEquals(404, api.delete("/vodencoding/v1/storages/" + id).status());
        assertEquals(0, api.get(ADD).data().size());
    }

    @Test
    void storage_withTasks_isKept() {
        String id = api.post(ADD, OSS).data().get("storage_id").asText();
        api.post(
                "/vodencoding/v1/tasks",
                """
                {"storage_id": "%s", "input": "https://media.example/a.mp4",
                 "outputs": [{"format": "mp4"}]}
                """
                        .formatted(id));

        assertEquals(40901, api.delete("/vodencoding/v1/storages/" + id).code());
    }
}
