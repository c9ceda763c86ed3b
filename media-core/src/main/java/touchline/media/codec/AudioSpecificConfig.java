package touchline.media.codec;

import java.lang.foreign.MemorySegment;

/** AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1). SKELETON. */
public record AudioSpecificConfig(
        MemorySegment bytes, int objectType, int sampleRateHz, int channels, int samplesPerFrame) {
    public static AudioSpecificConfig parse(MemorySegment bytes) {
        return new AudioSpecificConfig(bytes.asReadOnly(), 2, 48_000, 2, 1024);
    }

    public String rfc6381() {
        return "mp4a.40." + objectType;
    }
}
