package touchline.media.codec;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import touchline.testing.fuzz.FuzzTarget;

/**
 * AudioSpecificConfig and OpusHead: values in range, and the same value from the bytes that are
 * kept.
 */
public final class AudioConfigFuzzTarget implements FuzzTarget {
    private static final List<String> SEEDS =
            List.of(
                    "1190",
                    "119056e500",
                    "2b8a08",
                    "eb098800",
                    "1210",
                    "131056e59d4880",
                    "f8e8500020f00000",
                    "17d1c0119cbf0000",
                    "1180046400",
                    "4f707573486561640102380180bb0000000000",
                    "4f707573486561640106380180bb00000000010402000401020305",
                    "0102380180bb0000000000");

    @Override
    public String name() {
        return "audio-config";
    }

    @Override
    public List<byte[]> seeds() {
        return SEEDS.stream().map(HexFormat.of()::parseHex).toList();
    }

    @Override
    public void read(byte[] input) {
        MemorySegment bytes = MemorySegment.ofArray(input).asReadOnly();
        try {
            aac(AudioSpecificConfig.parse(bytes));
        } catch (MalformedMediaException _) {
            // The one exception that callers expect.
        }
        try {
            opus(OpusConfig.parse(bytes));
        } catch (MalformedMediaException _) {
            // The one exception that callers expect.
        }
    }

    private static void aac(AudioSpecificConfig config) {
        require(config.sampleRateHz() >= 4_000 && config.sampleRateHz() <= 192_000, "rate");
        require(config.channels() >= 1 && config.channels() <= 16, "channels");
        require(config.samplesPerFrame() == 960 || config.samplesPerFrame() == 1_024, "samples");
        require(config.rfc6381().matches("mp4a\\.40\\.[1-9]\\d?"), config.rfc6381());
        require(config.equals(AudioSpecificConfig.parse(config.bytes())), "another value");
        try {
            require(config.adtsHeader(100).length == 7, "ADTS header");
        } catch (IllegalArgumentException _) {
            // ADTS has no word for this configuration.
        }
    }

    private static void opus(OpusConfig config) {
        require(config.channels() >= 1 && config.channels() <= 255, "channels");
        require(config.preSkip() >= 0 && config.preSkip() <= 0xffff, "pre-skip");
        require(config.equals(OpusConfig.parse(config.bytes())), "another value");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
