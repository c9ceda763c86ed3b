package touchline.media.ffmpeg;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * What H.264 encoders write (byte stream format, ITU-T H.264, Annex B) to what containers hold: NAL
 * units behind 4-byte lengths, parameter sets apart in an AVCDecoderConfigurationRecord (ISO/IEC
 * 14496-15, 5.3.3.1.2). Any thread.
 */
final class AnnexB {
    private static final int IDR_SLICE = 5;
    private static final int SEQUENCE_PARAMETER_SET = 7;
    private static final int PICTURE_PARAMETER_SET = 8;
    private static final int ACCESS_UNIT_DELIMITER = 9;
    private static final int LENGTH_BYTES = 4;
    private static final int MAX_PARAMETER_SET_BYTES = 0xFFFF;

    private AnnexB() {}

    /**
     * @param payload length-prefixed units, without parameter sets and delimiters
     * @param idr it has a slice of an IDR picture
     */
    record Unit(MemorySegment payload, boolean idr) {}

    /** Where a NAL unit lies, its start code left out. */
    private record Range(int start, int end) {
        int length() {
            return end - start;
        }
    }

    /** One access unit. */
    static Unit toLengthPrefixed(byte[] stream) {
        List<Range> kept = new ArrayList<>();
        boolean idr = false;
        int size = 0;
        for (Range range : nalUnits(stream)) {
            int type = stream[range.start] & 0x1F;
            if (type == SEQUENCE_PARAMETER_SET
                    || type == PICTURE_PARAMETER_SET
                    || type == ACCESS_UNIT_DELIMITER) {
                continue;
            }
            idr |= type == IDR_SLICE;
            kept.add(range);
            size += LENGTH_BYTES + range.length();
        }
        byte[] payload = new byte[size];
        int position = 0;
        for (Range range : kept) {
            int length = range.length();
            payload[position] = (byte) (length >>> 24);
            payload[position + 1] = (byte) (length >>> 16);
            payload[position + 2] = (byte) (length >>> 8);
            payload[position + 3] = (byte) length;
            System.arraycopy(stream, range.start, payload, position + LENGTH_BYTES, length);
            position += LENGTH_BYTES + length;
        }
        return new Unit(MemorySegment.ofArray(payload).asReadOnly(), idr);
    }

    /**
     *
     *
     * <pre>
     * configurationVersion = 1 | profile, compatibility, level as in the SPS | 0xFC + lengthSize-1
     * 0xE0 + number of SPS | { length(16), SPS } | number of PPS | { length(16), PPS }
     * High profiles: 0xFC + chroma_format | 0xF8 + bit depths - 8 (luma, chroma) | 0 SPS extensions
     * </pre>
     *
     * Encoders of this room write 4:2:0 with 8 bits only, which fixes the last line.
     */
    static MemorySegment avcC(byte[] parameterSets) {
        List<Range> units = nalUnits(parameterSets);
        List<Range> sps = ofType(parameterSets, units, SEQUENCE_PARAMETER_SET);
        List<Range> pps = ofType(parameterSets, units, PICTURE_PARAMETER_SET);
        if (sps.isEmpty() || pps.isEmpty() || sps.getFirst().length() < 4) {
            throw new IllegalStateException("encoder gave no parameter sets");
        }
        int first = sps.getFirst().start;
        ByteArrayOutputStream record = new ByteArrayOutputStream(parameterSets.length + 16);
        record.write(1);
        record.write(parameterSets, first + 1, 3);
        record.write(0xFC | (LENGTH_BYTES - 1));
        record.write(0xE0 | sps.size());
        writeSets(record, parameterSets, sps);
        record.write(pps.size());
        writeSets(record, parameterSets, pps);
        if (hasChromaFormat(parameterSets[first + 1] & 0xFF)) {
            record.write(0xFC | 1);
            record.write(0xF8);
            record.write(0xF8);
            record.write(0);
        }
        return MemorySegment.ofArray(record.toByteArray()).asReadOnly();
    }

    private static boolean hasChromaFormat(int profile) {
        return profile == 100 || profile == 110 || profile == 122 || profile == 144;
    }

    private static void writeSets(ByteArrayOutputStream out, byte[] bytes, List<Range> sets) {
        for (Range set : sets) {
            if (set.length() > MAX_PARAMETER_SET_BYTES) {
                throw new IllegalStateException("parameter set: " + set.length() + " bytes");
            }
            out.write(set.length() >>> 8);
            out.write(set.length());
            out.write(bytes, set.start, set.length());
        }
    }

    private static List<Range> ofType(byte[] bytes, List<Range> units, int type) {
        return units.stream().filter(unit -> (bytes[unit.start] & 0x1F) == type).toList();
    }

    /** Start codes are 00 00 01; zeroes before one and at the end are padding (B.1.1). */
    private static List<Range> nalUnits(byte[] bytes) {
        List<Range> units = new ArrayList<>();
        int start = -1;
        int at = 0;
        while (at + 2 < bytes.length) {
            // A start code holds a 1 at its third byte only: skip three where that is out.
            if (bytes[at + 2] > 1 || bytes[at + 2] < 0) {
                at += 3;
            } else if (bytes[at] == 0 && bytes[at + 1] == 0 && bytes[at + 2] == 1) {
                addUnit(units, bytes, start, at);
                start = at + 3;
                at += 3;
            } else {
                at++;
            }
        }
        addUnit(units, bytes, start, bytes.length);
        return units;
    }

    private static void addUnit(List<Range> units, byte[] bytes, int start, int end) {
        if (start < 0) {
            return;
        }
        int last = end;
        while (last > start && bytes[last - 1] == 0) {
            last--;
        }
        if (last > start) {
            units.add(new Range(start, last));
        }
    }
}
