package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.api.AtOnce;
import touchline.api.domain.Scope;

final class IdempotencyTest {
    private static final String STREAMS = "/live/v1/live-streams";
    private static final String BODY =
            """
            {"title": "a", "audit_settings": {"frame_interval": 1, "models": {"nude": 0.5}},
             "generate_watermark": {"type": "stream", "audio_mix_settings": {"mode": "main"}}}
            """;

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
    void repeatedCall_creates_once_andReplaysWithoutSecrets() {
        TestReply first = create("k1", BODY);
        TestReply second = create("k1", BODY);

        assertEquals(first.data().get("id"), second.data().get("id"));
        assertEquals(first.json().get("warnings"), second.json().get("warnings"));
        assertTrue(first.data().has("stream_key"));
        assertTrue(first.data().at("/generate_watermark/stream_key").isTextual());
        assertFalse(second.text().contains("stream_key"));
        assertNotEquals(first.json().get("request_id"), second.json().get("request_id"));
        assertEquals(1, total());
    }

    @Test
    void key_withAnotherBody_is40902() {
        create("k1", BODY);

        assertEquals(40902, create("k1", "{}").code());
        assertEquals(1, total());
    }

    @Test
    void key_ofAnotherTokenOrPath_isAnotherKey() {
        create("k1", "{}");
        String id = create("k2", "{}").data().get("id").textValue();
        Map<String, String> other =
                Map.of("Authorization", api.bearer(Scope.LIVE_WRITE), "Idempotency-Key", "k1");

        assertEquals(0, api.call("POST", STREAMS, "{}", other).code());
        assertEquals(3, total());
        JsonNode one = call(STREAMS + "/" + id + "/playback-ids", "k1", "{}").data();
        JsonNode two = call(STREAMS + "/" + id + "/playback-ids", "k1", "{}").data();
        assertEquals(one, two);
    }

    @Test
    void key_ofFailedCall_canBeUsedAgain() {
        assertEquals(40002, create("k1", "{\"title\": 1}").code());
        assertEquals(40002, create("k1", "{\"title\": 1}").code());
        assertEquals(0, create("k1", "{\"title\": \"a\"}").code());
    }

    @Test
    void key_after24Hours_isForgotten() {
        create("k1", "{}");
        api.now = api.now.plusSeconds(24 * 3600);

        assertEquals(0, create("k1", "{\"title\": \"a\"}").code());
        assertEquals(2, total());
    }

    @Test
    void key_thatIsMalformed_isRefused() {
        for (String key : List.of("with space", "x".repeat(256))) {
            TestReply reply = create(key, "{}");
            assertEquals(40002, reply.code());
            assertEquals(List.of("Idempotency-Key"), reply.badFields());
        }
    }

    @Test
    void newToken_replayed_showsNoSecret() {
        String body = "{\"name\": \"a\", \"scopes\": [\"live:read\"]}";
        JsonNode first = call("/system/v1/access-tokens", "k1", body).data();
        JsonNode second = call("/system/v1/access-tokens", "k1", body).data();

        assertEquals(first.get("id"), second.get("id"));
        assertTrue(first.has("secret"));
        assertFalse(second.has("secret") || second.has("token"));
    }

    @Test
    void repeatedCall_doesNotShowTheQueryOfAWebhookAgain() {
        String body =
                """
                {"url": "https://hooks.test/in?key=private", "events": ["*"]}
                """;

        JsonNode first = call("/system/v1/webhooks", "k1", body).data();
        JsonNode second = call("/system/v1/webhooks", "k1", body).data();

        assertEquals("https://hooks.test/in?key=private", first.get("url").textValue());
        assertEquals(first.get("id"), second.get("id"));
        assertEquals("https://hooks.test/in", second.get("url").textValue());
    }

    @Test
    void concurrentCalls_createOnce() throws Exception {
        List<Integer> codes = AtOnce.run(Collections.nCopies(8, () -> create("k1", "{}").code()));

        assertTrue(codes.contains(0));
        assertTrue(List.of(0, 40901).containsAll(codes), codes.toString());
        assertEquals(1, total());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '!',
            value = {
                "/system/v1/webhooks | {\"url\": \"https://a.test/\", \"events\": [\"*\"]}",
                "/live/v1/live-streams | {\"generate_watermark\": {\"type\": \"html\", \"url\": \"https://a.test/\"}}",
                "/vodencoding/v1/tasks | {\"storage_id\": \"s\", \"input\": \"https://a.test/\", \"outputs\": [{\"format\": \"mp4\"}]}",
                "/vodencoding/v1/add_storage | {\"type\": \"oss\", \"region\": \"cn-hangzhou\", \"bucket\": \"match-archive\", \"storage_ak\": \"ak\", \"storage_sk\": \"sk\", \"notify\": \"https://c.test/\"}"
            })
    void namesAreLookedUp_outsideTheTransaction(String path, String body) {
        AtomicInteger lookups = new AtomicInteger();
        AtomicInteger insideTransaction = new AtomicInteger();
        api.onLookup(
                () -> {
                    lookups.incrementAndGet();
                    AtomicBoolean outside = new AtomicBoolean();
                    // Runs at once where no transaction is open.
                    api.database.afterCommit(() -> outside.set(true));
                    if (!outside.get()) {
                        insideTransaction.incrementAndGet();
                    }
                });

        TestReply reply = call(path, "k1", body);

        assertTrue(reply.status() < 500, reply::text);
        assertTrue(lookups.get() > 0, "no name was looked up");
        assertEquals(0, insideTransaction.get());
    }

    private TestReply create(String key, String body) {
        return call(STREAMS, key, body);
    }

    private TestReply call(String path, String key, String body) {
        return api.call(
                "POST",
                path,
                body,
                Map.of("Authorization", ApiFixture.ADMIN, "Idempotency-Key", key));
    }

    private int total() {
        return api.get(STREAMS).json().get("total").intValue();
    }
}
