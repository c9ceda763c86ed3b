package touchline.media.worker;

/**
 * Resource limits of a worker process. Immutable.
 *
 * <p>{@code -Xmx} limits the JVM's heap. {@code RLIMIT_DATA} limits heap and native memory of
 * FFmpeg and the JVM together: since Linux 4.7 it counts committed writable private pages. {@code
 * ulimit -v} is unsuitable: a JVM reserves many gigabytes of address space that it never uses.
 *
 * @param heapBytes Java heap
 * @param dataBytes heap and native memory together
 * @param niceness 0 to 19; 19 is the lowest priority
 */
public record WorkerLimits(long heapBytes, long dataBytes, int niceness) {
    private static final long MEBIBYTE = 1024L * 1024;
    private static final long MIN_NATIVE_BYTES = 256 * MEBIBYTE;

    /** 256 MiB heap, 2 GiB in all, niceness 10. */
    public static final WorkerLimits DEFAULTS =
            new WorkerLimits(256 * MEBIBYTE, 2048 * MEBIBYTE, 10);

    public WorkerLimits {
        if (heapBytes < 16 * MEBIBYTE) {
            throw new IllegalArgumentException("heap: " + heapBytes + " (expected: >= 16 MiB)");
        }
        if (dataBytes < heapBytes + MIN_NATIVE_BYTES) {
            throw new IllegalArgumentException(
                    "memory: " + dataBytes + " (expected: >= heap + 256 MiB)");
        }
        if (niceness < 0 || niceness > 19) {
            throw new IllegalArgumentException("niceness: " + niceness + " (expected: 0 to 19)");
        }
    }
}
