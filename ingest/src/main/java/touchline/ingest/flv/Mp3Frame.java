package touchline.ingest.flv;

import static java.nio.ByteOrder.BIG_ENDIAN;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import touchline.media.codec.MalformedMediaException;

/**
 * The header of one frame of MPEG-1 or MPEG-2 layer III audio (ISO/IEC 11172-3, 2.4.1.3; ISO/IEC
 * 13818-3, 2.4.1). Immutable, any thread.
 *
 * @param lengthBytes of the whole frame, header included
 */
record Mp3Frame(int sampleRateHz, int channels, int samples, int lengthBytes) {
    static final int HEADER_BYTES = 4;

    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(BIG_ENDIAN);
    private static final int[] MPEG1_KBPS = {
        0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320
    };
    private static final int[] MPEG2_KBPS = {
        0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160
    };
    private static final int[] MPEG1_HZ = {44_100, 48_000, 32_000};
    private static final int LAYER_III = 1;
    private static final int MPEG1 = 3;
    private static final int RESERVED = 1;

    /**
     * @throws MalformedMediaException where no frame of layer III begins
     */
    static Mp3Frame parse(MemorySegment bytes) {
        if (bytes.byteSize() < HEADER_BYTES) {
            throw new MalformedMediaException(
                    "MP3 frame: " + bytes.byteSize() + " bytes (expected: >= 4)");
        }
        int header = bytes.get(U32, 0);
        int version = (header >>> 19) & 3;
        int layer = (header >>> 17) & 3;
        int bitrateIndex = (header >>> 12) & 0xf;
        int rateIndex = (header >>> 10) & 3;
        boolean synced = header >>> 21 == 0x7ff;
        if (!synced
                || version == RESERVED
                || layer != LAYER_III
                || bitrateIndex == 0
                || bitrateIndex == 15
                || rateIndex == 3) {
            throw new MalformedMediaException(
                    String.format("MP3 frame header: %08x (expected: layer III)", header));
        }
        boolean mpeg1 = version == MPEG1;
        // Version 2 halves the rates of version 1, version 2.5 halves them again.
        int sampleRateHz = MPEG1_HZ[rateIndex] >> (mpeg1 ? 0 : version == 2 ? 1 : 2);
        int bitrateBps = (mpeg1 ? MPEG1_KBPS : MPEG2_KBPS)[bitrateIndex] * 1_000;
        int samples = mpeg1 ? 1_152 : 576;
        int padding = (header >>> 9) & 1;
        int channels = ((header >>> 6) & 3) == 3 ? 1 : 2;
        return new Mp3Frame(
                sampleRateHz, channels, samples, samples / 8 * bitrateBps / sampleRateHz + padding);
    }
}
