package touchline.media.codec;

import java.lang.foreign.MemorySegment;

/** AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1.2). SKELETON. */
public record AvcConfig(
        MemorySegment bytes,
        int width,
        int height,
        int nalLengthBytes,
        double frameRate,
        String rfc6381) {
    public static AvcConfig parse(MemorySegment bytes) {
        return new AvcConfig(bytes.asReadOnly(), 1280, 720, 4, 0, "avc1.64001f");
    }
}
