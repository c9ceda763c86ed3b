package touchline.api.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class HeapReturnTest {
    private static final long MEBIBYTE = 1L << 20;

    private final AtomicReference<HeapReturn.Heap> heap = new AtomicReference<>();
    private final AtomicInteger cycles = new AtomicInteger();
    private final HeapReturn back = new HeapReturn(heap::get, cycles::incrementAndGet);

    private int cyclesAt(long committedMiB, long survivedMiB) {
        heap.set(new HeapReturn.Heap(committedMiB * MEBIBYTE, survivedMiB * MEBIBYTE));
        back.look();
        return cycles.getAndSet(0);
    }

    @Test
    void heap_thatFitsWhatSurvives_stays() {
        assertEquals(0, cyclesAt(64, 0));
        assertEquals(0, cyclesAt(200, 40));
        assertEquals(0, cyclesAt(3_000, 1_000));
    }

    @Test
    void heap_thatIsMostlyFree_isGivenBack() {
        assertEquals(1, cyclesAt(400, 40));
        assertEquals(1, cyclesAt(4_000, 1_000));
        assertEquals(1, cyclesAt(4_000, 1_000), "again as long as it is");
    }
}
