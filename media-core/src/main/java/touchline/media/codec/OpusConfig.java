package touchline.media.codec;

import java.lang.foreign.MemorySegment;

/** Opus identification header (RFC 7845, 5.1), with its magic. SKELETON. */
public record OpusConfig(MemorySegment bytes, int channels, int preSkip, int inputSampleRateHz) {
    public static OpusConfig parse(MemorySegment bytes) {
        return new OpusConfig(bytes.asReadOnly(), 2, 312, 48_000);
    }
}
