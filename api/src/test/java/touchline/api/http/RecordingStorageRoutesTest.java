package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.api.domain.FrameName;
import touchline.api.home.Verification;
import touchline.api.storage.StorageFailures;

final class RecordingStorageRoutesTest {
    private static final String STORAGE = "/system/v1/storage";
    private static final String VERIFY = STORAGE + "/verify";

    private final ApiFixture api = new ApiFixture();

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void state_saysWhatIsStoredAndWhatWaits() {
        JsonNode data = api.get(STORAGE).data();

        assertEquals(
                Json.parse(
                        """
                        {"s3": true, "reachable": true, "stored_assets": 7, "waiting_assets": 2,
                         "waiting_bytes": 3000, "waiting_since": 1700000000, "uploaded_files": 11,
                         "uploaded_bytes": 5000, "unreadable_assets": 1,
                         "unreadable_examples": ["ast_1"], "waiting_frames": 3,
                         "unreadable_frames": 0}
                        """
                                .getBytes(StandardCharsets.UTF_8)),
                data);
    }

    @Test
    void verification_isALineForEachFinding() {
        api.home.findings.add(
                new Verification.Finding.Missing(FakeHome.ASSET, "s0-0.m4s", "not there"));
        api.home.findings.add(
                new Verification.Finding.MissingFrame(new FrameName("a1B2c3D4"), "not there"));
        api.home.findings.add(new Verification.Finding.Orphan("live/assets/", 3, 90));

        TestReply reply = api.post(VERIFY + "?orphans=true", null);

        assertEquals(200, reply.status(), reply::text);
        assertEquals(
                List.of(
                        "{\"type\":\"progress\",\"checked\":0,\"assets\":7}",
                        "{\"type\":\"missing\",\"asset_id\":\"ast_1\",\"file\":\"s0-0.m4s\",\"reason\":\"not there\"}",
                        "{\"type\":\"missing_frame\",\"frame\":\"a1B2c3D4\",\"reason\":\"not there\"}",
                        "{\"type\":\"orphan\",\"key\":\"live/assets/\",\"objects\":3,\"size_bytes\":90}",
                        "{\"type\":\"result\",\"assets\":7,\"objects\":40,\"size_bytes\":4000,\"waiting\":2,\"missing\":3,\"orphans\":1}"),
                reply.text().lines().toList());
    }

    @Test
    void verification_whileTheStoreIsAway_endsWithTheReason() {
        api.home.failure = Optional.of(StorageFailures.unresolved());

        TestReply reply = api.post(VERIFY, null);

        assertTrue(
                reply.text().lines().toList().getLast().startsWith("{\"type\":\"failed\""),
                reply::text);
    }

    @Test
    void verification_whileAnotherRuns_isAConflict() throws Exception {
        api.home.mayEnd = new CountDownLatch(1);
        CompletableFuture<TestReply> first =
                CompletableFuture.supplyAsync(() -> api.post(VERIFY, null));
        api.home.begun.await();

        TestReply second = api.post(VERIFY, null);
        api.home.mayEnd.countDown();

        assertEquals(40901, second.code(), second::text);
        assertEquals(200, first.join().status());
        assertEquals(200, api.post(VERIFY, null).status());
        assertEquals(40002, api.post(VERIFY + "?orphans=all", null).code());
    }
}
