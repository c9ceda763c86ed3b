package touchline.media.codec;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * AV1CodecConfigurationRecord (AV1 in ISOBMFF 1.3, 2.3.3): the decoder configuration of AV1.
 * Immutable, any thread; equality compares the bytes.
 *
 * @param bytes the record as received, read-only
 * @param width largest luma width of the sequence
 * @param height largest luma height of the sequence
 * @param frameRate frames per second from the sequence header, 0 if absent
 * @param rfc6381 e.g. {@code av01.0.05M.08} (AV1 in ISOBMFF 1.3, 5)
 */
public record Av1Config(
        MemorySegment bytes, int width, int height, double frameRate, String rfc6381) {
    private static final String NAME = "av1C";
    private static final int OBU_SEQUENCE_HEADER = 1;
    private static final int MAX_OBUS = 64;
    private static final int MAX_LEB128_BYTES = 8;

    public Av1Config {
        bytes = ConfigBytes.copyOf(bytes, NAME);
    }

    /**
     * @throws MalformedMediaException if the record is invalid or has no sequence header, the
     *     source of the frame size
     */
    public static Av1Config parse(MemorySegment bytes) {
        MemorySegment own = ConfigBytes.copyOf(bytes, NAME);
        var reader = new BitReader(own, NAME);
        reader.u(1, 1, 1, "marker");
        reader.u(7, 1, 1, "version");
        int profile = reader.u(3, 0, 2, "seq_profile");
        int level = reader.u(5, "seq_level_idx_0");
        boolean highTier = reader.flag("seq_tier_0");
        boolean highBitDepth = reader.flag("high_bitdepth");
        boolean twelveBit = reader.flag("twelve_bit");
        reader.skip(13, "monochrome");
        int bitDepth = !highBitDepth ? 8 : twelveBit ? 12 : 10;
        Av1SequenceHeader header = sequenceHeader(reader);
        return new Av1Config(
                own,
                header.width(),
                header.height(),
                header.frameRate(),
                "av01.%d.%02d%s.%02d".formatted(profile, level, highTier ? "H" : "M", bitDepth));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Av1Config that && ConfigBytes.same(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return ConfigBytes.hash(bytes);
    }

    /** Returns the sequence header of the configuration. */
    public Av1SequenceHeader sequenceHeader() {
        var reader = new BitReader(bytes, NAME);
        reader.skip(32, "marker");
        return sequenceHeader(reader);
    }

    /**
     * Returns the sequence headers of a temporal unit in low overhead format.
     *
     * @throws MalformedMediaException if an OBU points beyond the end
     */
    public static List<Av1SequenceHeader> sequenceHeaders(MemorySegment temporalUnit) {
        List<Av1SequenceHeader> headers = new ArrayList<>(1);
        var reader = new BitReader(temporalUnit, "temporal_unit");
        while (reader.remainingBits() > 0) {
            Obu obu = obu(reader);
            if (obu.type() == OBU_SEQUENCE_HEADER) {
                headers.add(Av1SequenceHeader.parse(obu.payload()));
            }
        }
        return headers;
    }

    private static Av1SequenceHeader sequenceHeader(BitReader configObus) {
        for (int i = 0; i < MAX_OBUS && configObus.remainingBits() > 0; i++) {
            Obu obu = obu(configObus);
            if (obu.type() == OBU_SEQUENCE_HEADER) {
                return Av1SequenceHeader.parse(obu.payload());
            }
        }
        throw configObus.wrong("configOBUs", "no sequence header", "one");
    }

    private record Obu(int type, MemorySegment payload) {}

    /** Reads one OBU with its size (AV1 bitstream specification, 5.3). */
    private static Obu obu(BitReader reader) {
        reader.u(1, 0, 0, "obu_forbidden_bit");
        int type = reader.u(4, "obu_type");
        boolean extended = reader.flag("obu_extension_flag");
        boolean sized = reader.flag("obu_has_size_field");
        reader.skip(1, "obu_reserved_1bit");
        if (extended) {
            reader.skip(8, "obu_extension_header");
        }
        long bytes = sized ? leb128(reader) : reader.remainingBits() / 8;
        return new Obu(type, reader.slice(bytes, "obu"));
    }

    /** AV1 bitstream specification, 4.10.5. */
    private static long leb128(BitReader reader) {
        long value = 0;
        for (int i = 0; i < MAX_LEB128_BYTES; i++) {
            boolean more = reader.flag("obu_size");
            value |= (long) reader.u(7, "obu_size") << (7 * i);
            if (!more) {
                return value;
            }
        }
        throw reader.wrong("obu_size", value, "at most " + MAX_LEB128_BYTES + " bytes");
    }
}
