package touchline.media.ffmpeg;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.codec.VideoSequence;

/**
 * Memory of all video decoders of this process: one limit. A decoder keeps its references, a frame
 * for each thread, the frame in work and the frame that its caller reads. Any thread.
 */
public final class DecoderMemory {
    private static final int FRAMES_IN_WORK = 2;

    /** Unlimited until the process sets its limit. */
    private static final AtomicLong limitBytes = new AtomicLong(Long.MAX_VALUE);

    private static final AtomicLong usedBytes = new AtomicLong();
    private static final LongAdder refused = new LongAdder();

    private DecoderMemory() {}

    /** Half of the machine's memory, or of the container's. */
    public static long halfOfMachine() {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getTotalMemorySize() / 2;
    }

    /** Sets the limit of this process; decoders that are open stay open. */
    public static void limit(long bytes) {
        limitBytes.set(bytes);
    }

    /** Returns what open decoders may hold now, in bytes. */
    public static long usedBytes() {
        return usedBytes.get();
    }

    /** Returns the limit in bytes. */
    public static long limitBytes() {
        return limitBytes.get();
    }

    /** Returns how many times a decoder was refused because of the limit. */
    public static long refused() {
        return refused.sum();
    }

    static long bytes(VideoSequence sequence, int threads) {
        return sequence.frameBytes() * (sequence.referenceFrames() + threads + FRAMES_IN_WORK);
    }

    /** The share of one decoder. Its owner thread calls it. */
    static final class Share implements AutoCloseable {
        private long bytes;

        /**
         * Takes as much as a sequence needs, if that is more than before.
         *
         * @throws DecodingRefusedException the limit of the process is reached; nothing changes
         */
        void require(long needed) {
            long more = needed - bytes;
            if (more <= 0) {
                return;
            }
            long limit = limitBytes.get();
            long used = usedBytes.addAndGet(more);
            if (used > limit) {
                usedBytes.addAndGet(-more);
                refused.increment();
                throw new DecodingRefusedException(
                        DecodingRefusedException.Limit.MEMORY,
                        "decoder memory: %d MiB needed, %d of %d MiB in use (media.decoder-memory)"
                                .formatted(needed >> 20, (used - more) >> 20, limit >> 20));
            }
            bytes = needed;
        }

        long bytes() {
            return bytes;
        }

        /** Idempotent. */
        @Override
        public void close() {
            usedBytes.addAndGet(-bytes);
            bytes = 0;
        }
    }
}
