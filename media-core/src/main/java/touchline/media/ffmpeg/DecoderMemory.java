package touchline.media.ffmpeg;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import touchline.media.codec.MalformedMediaException;
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

    private DecoderMemory() {}

    /** Limits decoders to half of the machine's memory, or of the container's. */
    public static void limitToHalfOfMachine() {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        limit(system.getTotalMemorySize() / 2);
    }

    /** Sets the limit of this process; decoders that are open stay open. */
    public static void limit(long bytes) {
        limitBytes.set(bytes);
    }

    /** Returns what open decoders may hold now, in bytes. */
    public static long usedBytes() {
        return usedBytes.get();
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
         * @throws MalformedMediaException the limit of the process is reached; nothing changes
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
                throw new MalformedMediaException(
                        "decoder memory: %d MiB needed, %d of %d MiB in use"
                                .formatted(needed >> 20, (used - more) >> 20, limit >> 20));
            }
            bytes = needed;
        }

        /** Idempotent. */
        @Override
        public void close() {
            usedBytes.addAndGet(-bytes);
            bytes = 0;
        }
    }
}
