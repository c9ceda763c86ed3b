package touchline.media.worker;

/**
 * What a worker process may take. Immutable.
 *
 * <p>The JVM's heap is limited by {@code -Xmx}. Beside it stand the native memory of FFmpeg and the
 * JVM's own: that is limited by {@code RLIMIT_DATA}, which since Linux 4.7 counts writable private
 * pages that were committed, the heap's among them. {@code ulimit -v} would be of no use: a JVM
 * reserves many gigabytes of addresses that it never touches.
 *
 * @param heapBytes Java heap
 * @param dataBytes heap and native memory together
 * @param niceness 0 to 19, 19 gives way to everybody
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
