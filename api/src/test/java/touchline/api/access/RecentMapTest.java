package touchline.api.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class RecentMapTest {
    private final RecentMap<Integer, String> map = new RecentMap<>(10);

    @Test
    void get_afterPut_isThere() {
        map.put(1, "one");

        assertEquals("one", map.get(1));
        assertNull(map.get(2));
    }

    @Test
    void put_manyMore_keepsWhatIsUsedAndNoMoreThanTwice() {
        map.put(-1, "used");
        for (int i = 0; i < 1_000; i++) {
            map.put(i, "x");
            assertEquals("used", map.get(-1));
            assertTrue(map.size() <= 20, map::toString);
        }
        assertNull(map.get(900));
        assertEquals("x", map.get(999));
    }

    @Test
    void put_byManyThreads_staysBounded() throws InterruptedException {
        List<Thread> threads =
                IntStream.range(0, 8)
                        .mapToObj(
                                n ->
                                        Thread.ofVirtual()
                                                .start(
                                                        () -> {
                                                            for (int i = 0; i < 10_000; i++) {
                                                                map.put(n * 10_000 + i, "x");
                                                            }
                                                        }))
                        .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        assertTrue(map.size() <= 2 * (10 + 8), () -> "size " + map.size());
    }
}
