package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What hostile bodies cost: memory grows with the body, not with its square. */
final class BodyCostTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long MAX_ALLOCATED = 32L << 20;

    @Test
    void manyValuesBelowLongNames_costLinearMemory() {
        // 31 levels of names, then as many numbers as a body holds.
        String name = "n".repeat(250);
        StringBuilder body = new StringBuilder();
        body.append(("{\"" + name + "\":").repeat(30)).append("[1");
        body.append(",1".repeat(9_000)).append("]").append("}".repeat(30));
        byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
        Problems problems = new Problems();
        JsonFields.of(Json.parse(bytes), problems);

        long allocated = allocatedBy(() -> JsonFields.of(Json.parse(bytes), new Problems()));

        assertTrue(problems.isEmpty());
        assertTrue(allocated < MAX_ALLOCATED, () -> allocated + " bytes");
    }

    @Test
    void manyNonFiniteNumbers_areReportedWithShortPaths() {
        String name = "n".repeat(250);
        String body =
                ("{\"" + name + "\":").repeat(30)
                        + "[NaN"
                        + ",NaN".repeat(9_000)
                        + "]"
                        + "}".repeat(30);
        AtomicReference<ApiException> thrown = new AtomicReference<>();

        long allocated =
                allocatedBy(
                        () -> {
                            Problems problems = new Problems();
                            JsonFields.of(
                                    Json.parse(body.getBytes(StandardCharsets.UTF_8)), problems);
                            thrown.set(assertThrows(ApiException.class, problems::throwIfAny));
                        });

        assertTrue(allocated < MAX_ALLOCATED, () -> allocated + " bytes");
        assertTrue(thrown.get().errors().size() <= 100);
        assertTrue(thrown.get().errors().stream().allMatch(error -> error.field().length() <= 513));
    }

    @Test
    void nameOfMoreThan256Characters_is40001() {
        assertEquals(ErrorCode.MALFORMED_JSON, refused("{\"" + "n".repeat(257) + "\": 1}").code());
        assertEquals(1, Json.parse(utf8("{\"" + "n".repeat(256) + "\": 1}")).size());
    }

    @Test
    void moreThan20000Values_are40001() {
        assertEquals(
                ErrorCode.MALFORMED_JSON,
                refused("{\"a\": [1" + ",1".repeat(20_000) + "]}").code());
    }

    @Test
    void largeBody_isReadOnAPlatformThread_withTheSameErrors() {
        String large = "{\"a\": \"" + "x".repeat(5_000) + "\"";

        ApiException refused =
                assertThrows(ApiException.class, () -> BodyReading.parse(utf8(large)));

        assertEquals(ErrorCode.MALFORMED_JSON, refused.code());
        assertEquals(1, BodyReading.parse(utf8(large + "}")).size());
    }

    private static ApiException refused(String body) {
        return assertThrows(ApiException.class, () -> Json.parse(utf8(body)));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static long allocatedBy(Runnable work) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        work.run();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
