package touchline.packager.record;

import java.nio.ByteBuffer;
import java.util.OptionalLong;
import touchline.packager.isobmff.BoxReader.Box;

/**
 * Precedes each segment in a recorded file: a {@code free} box with the segment's number, from
 * which the index can be rebuilt. Players never get it.
 *
 * <p>Source: ISO/IEC 14496-12, 8.1.2. Stateless.
 */
final class SegmentMark {
    static final int SIZE_BYTES = 24;
    private static final int MAGIC = 0x546C_5367; // "TlSg"
    private static final int FREE = 0x6672_6565; // "free"

    private SegmentMark() {}

    static ByteBuffer of(long mediaSequence) {
        return ByteBuffer.allocate(SIZE_BYTES)
                .putInt(SIZE_BYTES)
                .putInt(FREE)
                .putLong(MAGIC)
                .putLong(mediaSequence)
                .flip();
    }

    /** The number in a mark; empty for any other box. */
    static OptionalLong read(Box box) {
        boolean isMark =
                box.type().equals("free") && box.sizeBytes() == SIZE_BYTES && box.u64(0) == MAGIC;
        return isMark ? OptionalLong.of(box.u64(8)) : OptionalLong.empty();
    }
}
