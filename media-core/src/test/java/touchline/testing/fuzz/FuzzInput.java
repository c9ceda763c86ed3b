package touchline.testing.fuzz;

import java.util.Arrays;

/**
 * Reads an input as decisions of a generator: numbers and bytes, so that every input describes
 * something valid. Behind its end all numbers are 0.
 */
public final class FuzzInput {
    private final byte[] bytes;
    private int position;

    public FuzzInput(byte[] bytes) {
        this.bytes = bytes;
    }

    public boolean hasMore() {
        return position < bytes.length;
    }

    public int u8() {
        return hasMore() ? bytes[position++] & 0xff : 0;
    }

    public int u16() {
        return u8() << 8 | u8();
    }

    /** A number from 0 to {@code most}, of one or two bytes. */
    public int upTo(int most) {
        return (most < 256 ? u8() : u16()) % (most + 1);
    }

    /** As many bytes as there are, at most {@code count}. */
    public byte[] bytes(int count) {
        int end = Math.min(bytes.length, position + count);
        byte[] taken = Arrays.copyOfRange(bytes, position, end);
        position = end;
        return taken;
    }

    public byte[] rest() {
        return bytes(bytes.length);
    }
}
