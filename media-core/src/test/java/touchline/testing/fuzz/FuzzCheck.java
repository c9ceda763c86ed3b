package touchline.testing.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Runs a target on one input, within limits of memory and time. A limit that is passed counts only
 * if it is passed again: the first run may load classes, and a machine may pause.
 */
final class FuzzCheck {
    private static final int ATTEMPTS = 3;
    private static final long MAX_NS = 100_000_000;
    private static final long MAX_NS_PER_BYTE = 10_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** An input that costs too much. */
    static final class TooExpensiveException extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooExpensiveException(String message) {
            super(message);
        }
    }

    private FuzzCheck() {}

    /**
     * @throws TooExpensiveException the input costs more memory or time than the target allows
     * @throws Exception what the target throws
     */
    static void check(FuzzTarget target, byte[] input) throws Exception {
        long maxBytes = target.maxAllocatedBytes(input.length);
        long maxNs = MAX_NS + MAX_NS_PER_BYTE * input.length;
        long allocated = 0;
        long tookNs = 0;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            long started = nanos(attempt);
            target.read(input.clone());
            tookNs = nanos(attempt) - started;
            allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            if (allocated <= maxBytes && tookNs <= maxNs) {
                return;
            }
        }
        throw new TooExpensiveException(
                "%s: %d bytes of input cost %d bytes and %d ms (expected: <= %d bytes, %d ms)"
                        .formatted(
                                target.name(),
                                input.length,
                                allocated,
                                tookNs / 1_000_000,
                                maxBytes,
                                maxNs / 1_000_000));
    }

    /**
     * The clock on the wall is cheap; a busy machine counts in it, but not in the thread's time.
     */
    private static long nanos(int attempt) {
        return attempt == 0 ? System.nanoTime() : THREADS.getCurrentThreadCpuTime();
    }
}
