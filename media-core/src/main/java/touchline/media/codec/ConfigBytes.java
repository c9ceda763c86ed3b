package touchline.media.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * The bytes of a decoder configuration: limited, copied, compared by content. A {@link
 * MemorySegment} compares by identity, but a repeated sequence header is not a change.
 */
final class ConfigBytes {
    /** Far above any valid configuration: the SEI messages of x265 are about 2 KiB. */
    static final int MAX_BYTES = 65_536;

    private ConfigBytes() {}

    /** Returns a read-only copy. */
    static MemorySegment copyOf(MemorySegment bytes, String structure) {
        if (bytes.byteSize() > MAX_BYTES) {
            throw new MalformedMediaException(
                    structure, 0, bytes.byteSize() + " bytes (expected: <= " + MAX_BYTES + ")");
        }
        return MemorySegment.ofArray(bytes.toArray(ValueLayout.JAVA_BYTE)).asReadOnly();
    }

    static boolean same(MemorySegment left, MemorySegment right) {
        return left.mismatch(right) == -1;
    }

    static int hash(MemorySegment bytes) {
        return Arrays.hashCode(bytes.toArray(ValueLayout.JAVA_BYTE));
    }

    static int octet(MemorySegment bytes, long offset) {
        return Byte.toUnsignedInt(bytes.get(ValueLayout.JAVA_BYTE, offset));
    }
}
