package touchline.packager.edge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.packager.delivery.NettyMediaMemory;

final class BodyCacheTest {
    private static final UpstreamAddress OWNER = new UpstreamAddress("127.0.0.1", 1, false);
    private static final int BODY_BYTES = 9 * 1024;
    private static final long FOR_EVER = Long.MAX_VALUE / 2;

    private final NettyMediaMemory memory = new NettyMediaMemory();
    private final EdgeCounters counters = new EdgeCounters();
    private long nowNs;
    private final BodyCache cache = new BodyCache(40 * 1024, () -> nowNs, counters);

    @AfterEach
    void nothingIsLeft() {
        cache.clear();
        assertEquals(0, cache.usedBytes());
        assertEquals(0, memory.usedBytes());
    }

    private void put(String subject, String name, int sizeBytes, long forNs) {
        byte[] bytes = new byte[sizeBytes];
        UpstreamAnswer answer = new UpstreamAnswer(200, Map.of(), memory.copy(bytes), OWNER);
        cache.put(new BodyCache.Key(subject, name), answer, forNs);
        answer.release();
    }

    private boolean has(String subject, String name) {
        Optional<UpstreamAnswer> found = cache.get(new BodyCache.Key(subject, name));
        found.ifPresent(UpstreamAnswer::release);
        return found.isPresent();
    }

    @Test
    void fullCache_dropsWhatWasNotUsedForLongest() {
        for (int i = 0; i < 4; i++) {
            put("s", "" + i, BODY_BYTES, FOR_EVER);
        }
        assertTrue(has("s", "0"));
        put("s", "4", BODY_BYTES, FOR_EVER);

        assertTrue(has("s", "0"));
        assertEquals(false, has("s", "1"));
        assertTrue(has("s", "4"));
        assertTrue(cache.usedBytes() <= 40 * 1024, "bound");
    }

    @Test
    void bodyAboveTheBound_staysUntilTheNextOne() {
        put("s", "large", 100 * 1024, FOR_EVER);
        assertTrue(has("s", "large"));

        put("s", "small", 10, FOR_EVER);
        assertEquals(false, has("s", "large"));
        assertTrue(has("s", "small"));
    }

    @Test
    void replacedBody_isNotCountedTwice() {
        put("s", "a", BODY_BYTES, FOR_EVER);
        long once = cache.usedBytes();
        put("s", "a", BODY_BYTES, FOR_EVER);

        assertEquals(once, cache.usedBytes());
    }

    @Test
    void oldAnswer_isForThoseThatHaveWaitedForIt() {
        put("s", "a", BODY_BYTES, 1_000);
        nowNs = 999;
        assertTrue(has("s", "a"));
        nowNs = 1_000;
        assertEquals(false, has("s", "a"));

        Optional<UpstreamAnswer> late = cache.getNewest(new BodyCache.Key("s", "a"));
        late.orElseThrow().release();
    }

    @Test
    void unusedBody_leavesWithTheSweep() {
        put("s", "a", BODY_BYTES, FOR_EVER);
        put("s", "b", BODY_BYTES, FOR_EVER);
        nowNs = 500;
        assertTrue(has("s", "b"));
        nowNs = 1_000;
        cache.sweep(1_000);

        assertEquals(false, has("s", "a"));
        assertTrue(has("s", "b"));
    }

    @Test
    void droppedSubject_leavesTheOthers() {
        put("s", "a", BODY_BYTES, FOR_EVER);
        put("t", "a", BODY_BYTES, FOR_EVER);
        cache.drop("s");

        assertEquals(false, has("s", "a"));
        assertTrue(has("t", "a"));
    }

    @Test
    void bodyInUse_staysUntilItsReaderIsDone() {
        put("s", "a", 3, FOR_EVER);
        UpstreamAnswer held = cache.get(new BodyCache.Key("s", "a")).orElseThrow();
        cache.drop("s");

        byte[] read = new byte[3];
        held.body().bytes().get(read);
        assertArrayEquals(new byte[3], read);
        held.release();
    }
}
