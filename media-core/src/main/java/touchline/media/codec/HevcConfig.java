package touchline.media.codec;

import java.lang.foreign.MemorySegment;

/** HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, 8.3.3.1.2). SKELETON. */
public record HevcConfig(
        MemorySegment bytes,
        int width,
        int height,
        int nalLengthBytes,
        double frameRate,
        String rfc6381) {
    public static HevcConfig parse(MemorySegment bytes) {
        return new HevcConfig(bytes.asReadOnly(), 1280, 720, 4, 0, "hvc1.1.6.L93.B0");
    }
}
