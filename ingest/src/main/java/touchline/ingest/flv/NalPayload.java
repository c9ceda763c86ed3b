package touchline.ingest.flv;

import static java.nio.ByteOrder.BIG_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import touchline.media.codec.MalformedMediaException;

/**
 * The NAL units of one frame, each behind a length of four bytes (ISO/IEC 14496-15, 5.3.3.1.2).
 * Immutable, any thread.
 *
 * @param units read-only; empty where the frame held none
 * @param randomAccess one of them is an IDR slice (H.264) or of an IRAP frame (H.265)
 */
record NalPayload(MemorySegment units, boolean randomAccess) {
    static final int LENGTH_BYTES = 4;

    /**
     * A decoder works for each slice, however small. Level 6.2 of H.265 allows 600 (ISO/IEC
     * 23008-2, table A.8); the rest is for parameter sets and messages.
     */
    static final int MAX_UNITS = 1_024;

    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(BIG_ENDIAN);

    /**
     * Checks the lengths, drops empty units and widens shorter lengths. Copies only if something
     * changes.
     *
     * @param lengthBytes 1 to 4, as the decoder configuration says
     * @throws MalformedMediaException where a unit passes the end, or there are too many
     */
    static NalPayload of(FlvCodec codec, MemorySegment body, int lengthBytes) {
        long size = body.byteSize();
        long unitBytes = 0;
        int units = 0;
        boolean randomAccess = false;
        long position = 0;
        while (size - position >= lengthBytes) {
            long length = length(body, position, lengthBytes);
            position += lengthBytes;
            if (length > size - position) {
                throw new MalformedMediaException(
                        "NAL unit length: " + length + " (expected: <= " + (size - position) + ")");
            }
            if (length > 0) {
                if (++units > MAX_UNITS) {
                    throw new MalformedMediaException(
                            "NAL units of a frame: more than " + MAX_UNITS + " (slices)");
                }
                unitBytes += length;
                randomAccess |= isRandomAccess(codec, body.get(ValueLayout.JAVA_BYTE, position));
            }
            position += length;
        }
        for (long i = position; i < size; i++) {
            if (body.get(ValueLayout.JAVA_BYTE, i) != 0) {
                throw new MalformedMediaException(
                        "NAL units: " + (size - position) + " bytes left over (expected: 0)");
            }
        }
        long wanted = unitBytes + (long) units * LENGTH_BYTES;
        boolean asItShould = lengthBytes == LENGTH_BYTES && wanted == size;
        return new NalPayload(
                asItShould ? body : rewritten(body, lengthBytes, (int) wanted), randomAccess);
    }

    private static MemorySegment rewritten(MemorySegment body, int lengthBytes, int wantedBytes) {
        MemorySegment out = MemorySegment.ofArray(new byte[wantedBytes]);
        long from = 0;
        long to = 0;
        while (body.byteSize() - from >= lengthBytes) {
            long length = length(body, from, lengthBytes);
            from += lengthBytes;
            if (length > 0) {
                out.set(U32, to, (int) length);
                MemorySegment.copy(body, from, out, to + LENGTH_BYTES, length);
                to += LENGTH_BYTES + length;
            }
            from += length;
        }
        return out.asReadOnly();
    }

    private static long length(MemorySegment body, long position, int lengthBytes) {
        if (lengthBytes == LENGTH_BYTES) {
            return body.get(U32, position) & 0xffff_ffffL;
        }
        long length = 0;
        for (int i = 0; i < lengthBytes; i++) {
            length = (length << 8) | (body.get(ValueLayout.JAVA_BYTE, position + i) & 0xff);
        }
        return length;
    }

    /** ISO/IEC 14496-10, table 7-1: type 5; ISO/IEC 23008-2, table 7-1: types 16 to 23. */
    private static boolean isRandomAccess(FlvCodec codec, byte firstByte) {
        if (codec == FlvCodec.AVC) {
            return (firstByte & 0x1f) == 5;
        }
        int type = (firstByte >> 1) & 0x3f;
        return type >= 16 && type <= 23;
    }
}
