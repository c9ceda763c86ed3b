package touchline.media.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Opus identification header (RFC 7845, 5.1). Immutable, any thread; equality compares the bytes.
 *
 * @param bytes the header with its magic, read-only
 * @param channels 1 to 255
 * @param preSkip samples at 48 kHz to skip at the start
 * @param inputSampleRateHz of the source, 0 if unknown; Opus timestamps count at 48 kHz
 */
public record OpusConfig(MemorySegment bytes, int channels, int preSkip, int inputSampleRateHz) {
    private static final String NAME = "OpusHead";
    private static final MemorySegment MAGIC =
            MemorySegment.ofArray(NAME.getBytes(StandardCharsets.US_ASCII)).asReadOnly();

    public OpusConfig {
        bytes = ConfigBytes.copyOf(bytes, NAME);
    }

    /**
     * Accepts the header with its magic, as in Enhanced RTMP, and without it, as some encoders send
     * it.
     *
     * @throws MalformedMediaException if it is truncated or a value is out of range
     */
    public static OpusConfig parse(MemorySegment bytes) {
        MemorySegment own = withMagic(ConfigBytes.copyOf(bytes, NAME));
        var reader = new BitReader(own, NAME);
        reader.skip(64, "magic");
        reader.u(8, 0, 15, "version");
        int channels = reader.u(8, 1, 255, "channelCount");
        int preSkip = littleEndian(reader, 2, "preSkip");
        int rateHz = littleEndian(reader, 4, "inputSampleRate");
        reader.skip(16, "outputGain");
        int family = reader.u(8, "channelMappingFamily");
        if (family == 0) {
            if (channels > 2) {
                throw reader.wrong("channelCount", channels, "1 or 2 in mapping family 0");
            }
        } else {
            checkMapping(reader, channels);
        }
        return new OpusConfig(own, channels, preSkip, rateHz);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof OpusConfig that && ConfigBytes.same(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return ConfigBytes.hash(bytes);
    }

    /** RFC 7845, 5.1.1. */
    private static void checkMapping(BitReader reader, int channels) {
        int streams = reader.u(8, 1, 255, "streamCount");
        int coupled = reader.u(8, 0, streams, "coupledCount");
        if (streams + coupled > 255) {
            throw reader.wrong("coupledCount", coupled, "<= " + (255 - streams));
        }
        for (int i = 0; i < channels; i++) {
            int index = reader.u(8, "channelMapping");
            if (index >= streams + coupled && index != 255) {
                throw reader.wrong("channelMapping", index, "< " + (streams + coupled) + ", 255");
            }
        }
    }

    private static int littleEndian(BitReader reader, int count, String field) {
        long value = 0;
        for (int i = 0; i < count; i++) {
            value |= reader.u32(8, field) << (8 * i);
        }
        if (value > Integer.MAX_VALUE) {
            throw reader.wrong(field, value, "<= " + Integer.MAX_VALUE);
        }
        return (int) value;
    }

    private static MemorySegment withMagic(MemorySegment bytes) {
        long magicBytes = MAGIC.byteSize();
        if (bytes.byteSize() >= magicBytes
                && ConfigBytes.same(bytes.asSlice(0, magicBytes), MAGIC)) {
            return bytes;
        }
        byte[] joined = new byte[Math.toIntExact(magicBytes + bytes.byteSize())];
        MemorySegment out = MemorySegment.ofArray(joined);
        MemorySegment.copy(MAGIC, 0, out, 0, magicBytes);
        MemorySegment.copy(
                bytes,
                ValueLayout.JAVA_BYTE,
                0,
                out,
                ValueLayout.JAVA_BYTE,
                magicBytes,
                bytes.byteSize());
        return out;
    }
}
