package touchline.ingest.flv;

import java.lang.foreign.MemorySegment;

/** AV1 temporal units (AV1 Bitstream and Decoding Process, 5.3). Stateless, any thread. */
final class ObuPayload {
    private static final int TEMPORAL_DELIMITER = 2;

    private ObuPayload() {}

    /**
     * The same unit without temporal delimiters in front, which files do not carry (AV1 in ISOBMFF
     * 1.3, 2.4).
     *
     * @throws touchline.media.codec.MalformedMediaException where the first unit is cut off
     */
    static MemorySegment withoutDelimiter(MemorySegment body) {
        MemorySegment rest = body;
        while (rest.byteSize() > 0) {
            FlvTagReader in = new FlvTagReader(rest);
            int header = in.u8();
            if (((header >> 3) & 0xf) != TEMPORAL_DELIMITER) {
                break;
            }
            boolean extended = (header & 4) != 0;
            boolean sized = (header & 2) != 0;
            in.skip(extended ? 1 : 0);
            in.skip(sized ? leb128(in) : 0);
            rest = in.rest();
        }
        return rest;
    }

    /** At most eight bytes; the value fits 32 bits (4.10.5). */
    private static long leb128(FlvTagReader in) {
        long value = 0;
        for (int i = 0; i < 8; i++) {
            int octet = in.u8();
            value |= (long) (octet & 0x7f) << (7 * i);
            if ((octet & 0x80) == 0) {
                break;
            }
        }
        return value;
    }
}
