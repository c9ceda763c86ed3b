package touchline.packager.record;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import touchline.packager.isobmff.BoxReader.Box;

/**
 * Precedes each segment in a recorded file: a {@code free} box with the segment's number and date,
 * from which the index can be rebuilt. Players never get it.
 *
 * <p>Source: ISO/IEC 14496-12, 8.1.2. Immutable, any thread.
 *
 * @param startedAt wall clock at the start of the segment, to the microsecond; empty in files of an
 *     earlier version
 */
record SegmentMark(long mediaSequence, Optional<Instant> startedAt) {
    static final int SIZE_BYTES = 32;

    /** Without a date. */
    private static final int EARLIER_SIZE_BYTES = 24;

    private static final int MAGIC = 0x546C_5367; // "TlSg"
    private static final int FREE = 0x6672_6565; // "free"

    static ByteBuffer of(long mediaSequence, Instant startedAt) {
        return ByteBuffer.allocate(SIZE_BYTES)
                .putInt(SIZE_BYTES)
                .putInt(FREE)
                .putLong(MAGIC)
                .putLong(mediaSequence)
                .putLong(ChronoUnit.MICROS.between(Instant.EPOCH, startedAt))
                .flip();
    }

    /** Empty for any other box. */
    static Optional<SegmentMark> read(Box box) {
        boolean dated = box.sizeBytes() == SIZE_BYTES;
        boolean isMark =
                box.type().equals("free")
                        && (dated || box.sizeBytes() == EARLIER_SIZE_BYTES)
                        && box.u64(0) == MAGIC;
        return isMark
                ? Optional.of(
                        new SegmentMark(
                                box.u64(8),
                                dated
                                        ? Optional.of(
                                                Instant.EPOCH.plus(box.u64(16), ChronoUnit.MICROS))
                                        : Optional.empty()))
                : Optional.empty();
    }
}
