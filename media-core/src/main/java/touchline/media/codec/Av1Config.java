package touchline.media.codec;

import java.lang.foreign.MemorySegment;

/** AV1CodecConfigurationRecord (AV1 in ISOBMFF 1.3, 2.3.3). SKELETON. */
public record Av1Config(
        MemorySegment bytes, int width, int height, double frameRate, String rfc6381) {
    public static Av1Config parse(MemorySegment bytes) {
        return new Av1Config(bytes.asReadOnly(), 1280, 720, 0, "av01.0.05M.08");
    }
}
