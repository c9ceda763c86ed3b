package touchline.media.hub;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;

/** Duration of an audio frame by its codec, independent of timestamps. */
final class FrameDuration {
    private static final int OPUS_RATE_HZ = 48_000;

    /** RFC 6716, 3.1: samples at 48 kHz of the frame sizes of SILK, hybrid and CELT packets. */
    private static final int[] SILK = {480, 960, 1_920, 2_880};

    private static final int[] HYBRID = {480, 960};
    private static final int[] CELT = {120, 240, 480, 960};
    private static final int OPUS_MAX_SAMPLES = 5_760;

    private FrameDuration() {}

    /** In the track's timescale, at least 1. */
    static long ticks(AccessUnit unit) {
        int ticksPerSecond = unit.track().timescale().ticksPerSecond();
        long ticks =
                switch (unit.track().codec()) {
                    case CodecConfig.Aac(var config) ->
                            (long) config.samplesPerFrame()
                                    * ticksPerSecond
                                    / config.sampleRateHz();
                    case CodecConfig.Opus _ ->
                            (long) opusSamples(unit.payload()) * ticksPerSecond / OPUS_RATE_HZ;
                    // ISO/IEC 11172-3, 2.4.2.1; ISO/IEC 13818-3 halves it below 32 kHz.
                    case CodecConfig.Mp3(int rateHz, int _) ->
                            (rateHz >= 32_000 ? 1_152L : 576L) * ticksPerSecond / rateHz;
                    case CodecConfig.Avc _, CodecConfig.Hevc _, CodecConfig.Av1 _ -> 1;
                };
        return Math.max(1, ticks);
    }

    /**
     * RFC 6716, 3.1 and 3.2.5: the table of contents byte, and the count byte where there is one.
     */
    private static int opusSamples(MemorySegment packet) {
        if (packet.byteSize() == 0) {
            return CELT[3];
        }
        int contents = Byte.toUnsignedInt(packet.get(ValueLayout.JAVA_BYTE, 0));
        int configuration = contents >> 3;
        int frame =
                configuration < 12
                        ? SILK[configuration & 3]
                        : configuration < 16 ? HYBRID[configuration & 1] : CELT[configuration & 3];
        int frames =
                switch (contents & 3) {
                    case 0 -> 1;
                    case 1, 2 -> 2;
                    default ->
                            packet.byteSize() > 1 ? packet.get(ValueLayout.JAVA_BYTE, 1) & 0x3f : 1;
                };
        return Math.min(Math.max(frames, 1) * frame, OPUS_MAX_SAMPLES);
    }
}
