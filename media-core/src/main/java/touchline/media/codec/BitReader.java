package touchline.media.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reads a structure bit by bit, most significant bit first, never beyond its end. A missing or
 * out-of-range value is a {@link MalformedMediaException} that names the field. One thread.
 */
final class BitReader {
    /** Maximum leading zeros of a ue(v) value (Rec. ITU-T H.264, 9.1). */
    private static final int MAX_LEADING_ZEROS = 31;

    private final MemorySegment bytes;
    private final String structure;
    private long position;

    /**
     * @param structure name at the start of every error message, e.g. {@code avcC}
     */
    BitReader(MemorySegment bytes, String structure) {
        this.bytes = bytes;
        this.structure = structure;
    }

    long remainingBits() {
        return bytes.byteSize() * 8 - position;
    }

    /** u(n): an unsigned number of 1 to 31 bits. */
    int u(int bits, String field) {
        return (int) u32(bits, field);
    }

    /** u(n): an unsigned number of 1 to 32 bits. */
    long u32(int bits, String field) {
        need(bits, field);
        long value = 0;
        for (int i = 0; i < bits; i++) {
            value = (value << 1) | bit();
        }
        return value;
    }

    /** u(n) that must be in a range, both ends included. */
    int u(int bits, int least, int most, String field) {
        long start = position;
        int value = u(bits, field);
        if (value < least || value > most) {
            throw wrong(field, start, value, least + ".." + most);
        }
        return value;
    }

    boolean flag(String field) {
        need(1, field);
        return bit() == 1;
    }

    /** ue(v), at most {@code most} (Rec. ITU-T H.264, 9.1). */
    int ue(int most, String field) {
        long start = position;
        long value = ueLong(field);
        if (value > most) {
            throw wrong(field, start, value, "<= " + most);
        }
        return (int) value;
    }

    /** ue(v) of any size, for skipped fields. */
    long ueLong(String field) {
        long start = position;
        int zeros = 0;
        while (!flag(field)) {
            zeros++;
            if (zeros > MAX_LEADING_ZEROS) {
                throw wrong(field, start, zeros + " leading zeros", "<= " + MAX_LEADING_ZEROS);
            }
        }
        return zeros == 0 ? 0 : (1L << zeros) - 1 + u32(zeros, field);
    }

    /** se(v) of any size (Rec. ITU-T H.264, 9.1.1). */
    long se(String field) {
        long code = ueLong(field);
        return (code & 1) == 0 ? -(code >> 1) : (code >> 1) + 1;
    }

    void skip(long bits, String field) {
        need(bits, field);
        position += bits;
    }

    /** Moves to the next byte boundary. */
    void align() {
        position = (position + 7) & ~7L;
    }

    /** Returns the next bytes; the position must be a byte boundary. */
    MemorySegment slice(long count, String field) {
        if ((position & 7) != 0) {
            throw new IllegalStateException(structure + "." + field + " is not aligned");
        }
        need(count * 8, field);
        MemorySegment slice = bytes.asSlice(position / 8, count);
        position += count * 8;
        return slice;
    }

    /** Returns the exception for the value just read. */
    MalformedMediaException wrong(String field, Object came, String expected) {
        return wrong(field, position - 1, came, expected);
    }

    private MalformedMediaException wrong(String field, long atBit, Object came, String expected) {
        return new MalformedMediaException(
                structure + "." + field,
                Math.max(0, atBit / 8),
                came + " (expected: " + expected + ")");
    }

    private void need(long bits, String field) {
        if (bits < 0 || bits > remainingBits()) {
            throw new MalformedMediaException(
                    structure + "." + field,
                    position / 8,
                    remainingBits() + " bits left (expected: >= " + bits + ")");
        }
    }

    private int bit() {
        int octet = bytes.get(ValueLayout.JAVA_BYTE, position / 8);
        int value = (octet >> (7 - (int) (position & 7))) & 1;
        position++;
        return value;
    }
}
