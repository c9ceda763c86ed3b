package touchline.media.codec;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * NAL units of an access unit, with length prefixes (ISO/IEC 14496-15, 5.3.4.2) or start codes
 * (Rec. ITU-T H.264, Annex B). Returned units share the memory of the input. Any thread.
 */
public final class NalUnits {
    /** nal_unit_type of H.264 (Rec. ITU-T H.264, table 7-1). */
    public static final int AVC_IDR = 5;

    public static final int AVC_SEI = 6;
    public static final int AVC_SPS = 7;
    public static final int AVC_PPS = 8;
    public static final int AVC_ACCESS_UNIT_DELIMITER = 9;

    /** nal_unit_type of H.265 (Rec. ITU-T H.265, table 7-1). */
    public static final int HEVC_VPS = 32;

    public static final int HEVC_SPS = 33;
    public static final int HEVC_PPS = 34;

    /** BLA_W_LP to RSV_IRAP_VCL23: intra random access points (Rec. ITU-T H.265, 7.4.2.2). */
    private static final int HEVC_FIRST_IRAP = 16;

    private static final int HEVC_LAST_IRAP = 23;

    /** Above the number for an 8K 4:2:2 frame in its smallest slices. */
    private static final int MAX_UNITS = 8_192;

    private static final int START_CODE_BYTES = 3;

    private NalUnits() {}

    /** Returns nal_unit_type of an H.264 unit. */
    public static int avcType(MemorySegment unit) {
        return ConfigBytes.octet(unit, 0) & 0x1f;
    }

    /** Returns nal_unit_type of an H.265 unit. */
    public static int hevcType(MemorySegment unit) {
        return (ConfigBytes.octet(unit, 0) >> 1) & 0x3f;
    }

    /** Returns nuh_layer_id of an H.265 unit: 0 in the base layer. */
    public static int hevcLayer(MemorySegment unit) {
        if (unit.byteSize() < 2) {
            return 0;
        }
        return (ConfigBytes.octet(unit, 0) & 1) << 5 | ConfigBytes.octet(unit, 1) >> 3;
    }

    /** Whether an H.264 access unit in length-prefixed form is an IDR frame. */
    public static boolean isAvcIdr(MemorySegment accessUnit, int nalLengthBytes) {
        long offset = 0;
        while (offset < accessUnit.byteSize()) {
            long length = lengthAt(accessUnit, offset, nalLengthBytes);
            offset += nalLengthBytes;
            if (length > 0 && (ConfigBytes.octet(accessUnit, offset) & 0x1f) == AVC_IDR) {
                return true;
            }
            offset += length;
        }
        return false;
    }

    /**
     * Whether an H.265 access unit in length-prefixed form is an intra random access point: IDR,
     * BLA or CRA.
     */
    public static boolean isHevcRandomAccess(MemorySegment accessUnit, int nalLengthBytes) {
        long offset = 0;
        while (offset < accessUnit.byteSize()) {
            long length = lengthAt(accessUnit, offset, nalLengthBytes);
            offset += nalLengthBytes;
            if (length > 0) {
                int type = (ConfigBytes.octet(accessUnit, offset) >> 1) & 0x3f;
                if (type >= HEVC_FIRST_IRAP && type <= HEVC_LAST_IRAP) {
                    return true;
                }
            }
            offset += length;
        }
        return false;
    }

    /**
     * Passes on each length-prefixed unit in order, without its length. Skips units of length 0,
     * which some encoders write as padding.
     *
     * @param nalLengthBytes 1, 2 or 4
     * @throws MalformedMediaException if a length points beyond the end
     */
    public static void forEach(
            MemorySegment accessUnit, int nalLengthBytes, Consumer<MemorySegment> reader) {
        long offset = 0;
        int count = 0;
        while (offset < accessUnit.byteSize()) {
            long length = lengthAt(accessUnit, offset, nalLengthBytes);
            offset += nalLengthBytes;
            if (length > 0) {
                reader.accept(accessUnit.asSlice(offset, length));
                count = counted(count, offset);
            }
            offset += length;
        }
    }

    /** Returns all length-prefixed units; {@link #forEach} avoids the list. */
    public static List<MemorySegment> ofLengthPrefixed(
            MemorySegment accessUnit, int nalLengthBytes) {
        List<MemorySegment> units = new ArrayList<>();
        forEach(accessUnit, nalLengthBytes, units::add);
        return List.copyOf(units);
    }

    /**
     * Returns all units of a byte stream, without start codes and trailing zero bytes.
     *
     * @throws MalformedMediaException if a byte other than zero precedes the first start code
     */
    public static List<MemorySegment> ofAnnexB(MemorySegment stream) {
        List<MemorySegment> units = new ArrayList<>();
        long start = nextStartCode(stream, 0);
        for (long i = 0; i < start; i++) {
            if (ConfigBytes.octet(stream, i) != 0) {
                throw new MalformedMediaException(
                        "byte_stream.leading_zero_8bits",
                        i,
                        ConfigBytes.octet(stream, i) + " (expected: 0 or a start code)");
            }
        }
        while (start < stream.byteSize()) {
            long begin = start + START_CODE_BYTES;
            long next = nextStartCode(stream, begin);
            long end = next;
            while (end > begin && ConfigBytes.octet(stream, end - 1) == 0) {
                end--;
            }
            if (end > begin) {
                counted(units.size(), begin);
                units.add(stream.asSlice(begin, end - begin));
            }
            start = next;
        }
        return List.copyOf(units);
    }

    /** Returns the units in one new segment, each with a 4-byte length prefix. */
    public static MemorySegment toLengthPrefixed(List<MemorySegment> units) {
        long total = units.stream().mapToLong(unit -> 4 + unit.byteSize()).sum();
        MemorySegment out = MemorySegment.ofArray(new byte[Math.toIntExact(total)]);
        long offset = 0;
        for (MemorySegment unit : units) {
            long length = unit.byteSize();
            for (int i = 0; i < 4; i++) {
                out.set(ValueLayout.JAVA_BYTE, offset + i, (byte) (length >> (24 - 8 * i)));
            }
            MemorySegment.copy(unit, 0, out, offset + 4, length);
            offset += 4 + length;
        }
        return out.asReadOnly();
    }

    /** Returns the units in one new segment, each with a 4-byte start code. */
    public static MemorySegment toAnnexB(List<MemorySegment> units) {
        long total = units.stream().mapToLong(unit -> 4 + unit.byteSize()).sum();
        MemorySegment out = MemorySegment.ofArray(new byte[Math.toIntExact(total)]);
        long offset = 0;
        for (MemorySegment unit : units) {
            out.set(ValueLayout.JAVA_BYTE, offset + 3, (byte) 1);
            MemorySegment.copy(unit, 0, out, offset + 4, unit.byteSize());
            offset += 4 + unit.byteSize();
        }
        return out.asReadOnly();
    }

    /**
     * Returns the raw payload of a unit, without emulation prevention bytes (Rec. ITU-T H.264,
     * 7.3.1).
     */
    static MemorySegment unescaped(MemorySegment unit) {
        byte[] escaped = unit.toArray(ValueLayout.JAVA_BYTE);
        byte[] raw = new byte[escaped.length];
        int length = 0;
        int zeros = 0;
        for (byte octet : escaped) {
            if (zeros >= 2 && octet == 3) {
                zeros = 0;
                continue;
            }
            raw[length++] = octet;
            zeros = octet == 0 ? zeros + 1 : 0;
        }
        return MemorySegment.ofArray(raw).asSlice(0, length);
    }

    private static int counted(int before, long offset) {
        if (before >= MAX_UNITS) {
            throw new MalformedMediaException(
                    "access_unit", offset, "more units (expected: <= " + MAX_UNITS + ")");
        }
        return before + 1;
    }

    private static long lengthAt(MemorySegment accessUnit, long offset, int nalLengthBytes) {
        long left = accessUnit.byteSize() - offset - nalLengthBytes;
        if (left < 0) {
            throw new MalformedMediaException(
                    "NALUnitLength",
                    offset,
                    left + nalLengthBytes + " bytes left (expected: >= " + nalLengthBytes + ")");
        }
        long length = 0;
        for (int i = 0; i < nalLengthBytes; i++) {
            length = (length << 8) | ConfigBytes.octet(accessUnit, offset + i);
        }
        if (length > left) {
            throw new MalformedMediaException(
                    "NALUnitLength", offset, length + " (expected: <= " + left + ")");
        }
        return length;
    }

    /** Returns the position of the next 00 00 01, or the end of the stream. */
    private static long nextStartCode(MemorySegment stream, long from) {
        long last = stream.byteSize() - START_CODE_BYTES;
        for (long i = from; i <= last; i++) {
            if (ConfigBytes.octet(stream, i + 2) == 1
                    && ConfigBytes.octet(stream, i + 1) == 0
                    && ConfigBytes.octet(stream, i) == 0) {
                return i;
            }
        }
        return stream.byteSize();
    }
}
