package touchline.ingest.flv;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import touchline.media.codec.MalformedMediaException;

/** A bounds-checked cursor over the body of an FLV tag. */
final class FlvTagReader {
    private final MemorySegment bytes;
    private long position;

    FlvTagReader(MemorySegment bytes) {
        this.bytes = bytes;
    }

    long remaining() {
        return bytes.byteSize() - position;
    }

    int u8() {
        if (remaining() < 1) {
            throw new MalformedMediaException(
                    "FLV tag: " + bytes.byteSize() + " bytes (expected: more)");
        }
        return bytes.get(ValueLayout.JAVA_BYTE, position++) & 0xff;
    }

    int u16() {
        return (u8() << 8) | u8();
    }

    int u24() {
        return (u16() << 8) | u8();
    }

    /** Signed 24 bits. */
    int s24() {
        return (u24() << 8) >> 8;
    }

    int u32() {
        return (u16() << 16) | u16();
    }

    MemorySegment rest() {
        return bytes.asSlice(position);
    }

    MemorySegment take(long count) {
        if (count > remaining()) {
            throw new MalformedMediaException(
                    "FLV tag: length: " + count + " (expected: <= " + remaining() + ")");
        }
        MemorySegment slice = bytes.asSlice(position, count);
        position += count;
        return slice;
    }

    void skip(long count) {
        take(count);
    }
}
