package touchline.ingest.amf;

import static java.nio.ByteOrder.BIG_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import touchline.media.codec.MalformedMediaException;

/**
 * A cursor over the bytes of one AMF message, with the two limits that keep a small message from
 * becoming a large tree. Every read is checked against what is there before memory is reserved.
 */
final class AmfInput {
    /** Objects inside objects; recorded encoders stay below 5. */
    static final int MAX_DEPTH = 32;

    private static final ValueLayout.OfShort U16 =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(BIG_ENDIAN);
    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(BIG_ENDIAN);
    private static final ValueLayout.OfDouble F64 =
            ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(BIG_ENDIAN);

    private final MemorySegment bytes;
    private final AmfValueLimit limit;
    private long position;
    private int depth;

    AmfInput(MemorySegment bytes, AmfValueLimit limit) {
        this.bytes = bytes;
        this.limit = limit;
    }

    boolean isAtEnd() {
        return position == bytes.byteSize();
    }

    long remaining() {
        return bytes.byteSize() - position;
    }

    int peekU8() {
        require(1);
        return bytes.get(ValueLayout.JAVA_BYTE, position) & 0xff;
    }

    int u8() {
        int value = peekU8();
        position++;
        return value;
    }

    int u16() {
        require(2);
        int value = bytes.get(U16, position) & 0xffff;
        position += 2;
        return value;
    }

    long u32() {
        require(4);
        long value = bytes.get(U32, position) & 0xffff_ffffL;
        position += 4;
        return value;
    }

    double f64() {
        require(8);
        double value = bytes.get(F64, position);
        position += 8;
        return value;
    }

    /** Text of a length that came from outside; bytes that are no UTF-8 become U+FFFD. */
    String utf8(long lengthBytes) {
        require(lengthBytes);
        byte[] text = bytes.asSlice(position, lengthBytes).toArray(ValueLayout.JAVA_BYTE);
        position += lengthBytes;
        return new String(text, StandardCharsets.UTF_8);
    }

    void skip(long lengthBytes) {
        require(lengthBytes);
        position += lengthBytes;
    }

    /** Counts one value against the limit of the message. */
    void countValue() {
        limit.count();
    }

    /** Enters a value that holds others. */
    void descend() {
        depth++;
        if (depth > MAX_DEPTH) {
            throw new MalformedMediaException("AMF: nested deeper than " + MAX_DEPTH);
        }
    }

    void ascend() {
        depth--;
    }

    MalformedMediaException malformed(String what) {
        return new MalformedMediaException("AMF at byte " + position + ": " + what);
    }

    private void require(long count) {
        if (count < 0 || count > remaining()) {
            throw malformed("length: " + count + " (expected: <= " + remaining() + ")");
        }
    }
}
