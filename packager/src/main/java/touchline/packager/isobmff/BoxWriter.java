package touchline.packager.isobmff;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes boxes into a buffer that grows; a box's size is filled in when its body has been written.
 * Meant for what is small (init segments, movie fragment headers): media bytes never pass through.
 * One thread.
 *
 * <p>Source: ISO/IEC 14496-12, 4.2. All numbers are big endian.
 */
public final class BoxWriter {
    private byte[] buffer;
    private int position;

    /**
     * @param initialCapacityBytes what is reserved before the first growth
     */
    public BoxWriter(int initialCapacityBytes) {
        buffer = new byte[Math.max(16, initialCapacityBytes)];
    }

    /** A box; the given code writes its body. */
    public void box(String type, Runnable body) {
        int start = position;
        u32(0);
        fourCc(type);
        body.run();
        patchU32(start, position - start);
    }

    /** A box that starts with a version and 24 bits of flags (ISO/IEC 14496-12, 4.2.2). */
    public void fullBox(String type, int version, int flags, Runnable body) {
        box(
                type,
                () -> {
                    u32(((long) version << 24) | flags);
                    body.run();
                });
    }

    /** Four characters, one byte each. */
    public void fourCc(String text) {
        if (text.length() != 4) {
            throw new IllegalArgumentException("box type: " + text + " (expected: 4 characters)");
        }
        bytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public void u8(int value) {
        reserve(1);
        buffer[position++] = (byte) value;
    }

    public void u16(int value) {
        u8(value >>> 8);
        u8(value);
    }

    public void u24(int value) {
        u8(value >>> 16);
        u16(value);
    }

    /** The low 32 bits; a negative number keeps its two's complement. */
    public void u32(long value) {
        reserve(4);
        putU32(position, (int) value);
        position += 4;
    }

    public void u64(long value) {
        u32(value >>> 32);
        u32(value);
    }

    public void zeros(int count) {
        reserve(count);
        position += count;
    }

    public void bytes(byte[] source) {
        reserve(source.length);
        System.arraycopy(source, 0, buffer, position, source.length);
        position += source.length;
    }

    public void bytes(MemorySegment source) {
        bytes(source.toArray(ValueLayout.JAVA_BYTE));
    }

    /** Overwrites four bytes written before. */
    public void patchU32(int at, int value) {
        if (at < 0 || at > position - 4) {
            throw new IndexOutOfBoundsException("patch at: " + at + " (< " + position + ")");
        }
        putU32(at, value);
    }

    /** Bytes written so far. */
    public int sizeBytes() {
        return position;
    }

    /** Appends everything written to a buffer with enough space. */
    public void copyTo(ByteBuffer target) {
        target.put(buffer, 0, position);
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(buffer, position);
    }

    private void putU32(int at, int value) {
        buffer[at] = (byte) (value >>> 24);
        buffer[at + 1] = (byte) (value >>> 16);
        buffer[at + 2] = (byte) (value >>> 8);
        buffer[at + 3] = (byte) value;
    }

    private void reserve(int count) {
        int needed = Math.addExact(position, count);
        if (needed > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(needed, buffer.length * 2));
        }
    }
}
