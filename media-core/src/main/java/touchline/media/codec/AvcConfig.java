package touchline.media.codec;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1.2): the decoder configuration of H.264.
 * Immutable, any thread; equality compares the bytes.
 *
 * @param bytes the record as received, read-only
 * @param width luma samples a row, after cropping
 * @param height luma rows, after cropping
 * @param nalLengthBytes size of the length before each unit: 1, 2 or 4
 * @param frameRate frames per second from the first parameter set, 0 if absent
 * @param rfc6381 e.g. {@code avc1.64001f} (RFC 6381, 3.3)
 */
public record AvcConfig(
        MemorySegment bytes,
        int width,
        int height,
        int nalLengthBytes,
        double frameRate,
        String rfc6381) {
    private static final String NAME = "avcC";

    public AvcConfig {
        bytes = ConfigBytes.copyOf(bytes, NAME);
    }

    /**
     * @throws MalformedMediaException if the record or its first sequence parameter set is invalid
     */
    public static AvcConfig parse(MemorySegment bytes) {
        MemorySegment own = ConfigBytes.copyOf(bytes, NAME);
        Layout layout = layout(own);
        Sps sps = Sps.parse(layout.sps().getFirst());
        return new AvcConfig(
                own,
                sps.width(),
                sps.height(),
                layout.nalLengthBytes(),
                sps.frameRate(),
                "avc1.%02x%02x%02x"
                        .formatted(sps.profileIdc(), sps.constraintFlags(), sps.levelIdc()));
    }

    /**
     * Writes the record for these parameter sets, with lengths of 4 bytes.
     *
     * @param sps 1 to 31 whole units, header included
     * @param pps 1 to 255 whole units, header included
     * @throws MalformedMediaException if the first sequence parameter set is invalid
     */
    public static AvcConfig of(List<MemorySegment> sps, List<MemorySegment> pps) {
        if (sps.isEmpty() || sps.size() > 31 || pps.isEmpty() || pps.size() > 255) {
            throw new IllegalArgumentException(
                    "parameter sets: " + sps.size() + ", " + pps.size() + " (1..31, 1..255)");
        }
        Sps first = Sps.parse(sps.getFirst());
        var out = new ByteArrayOutputStream();
        out.write(1);
        out.write(first.profileIdc());
        out.write(first.constraintFlags());
        out.write(first.levelIdc());
        out.write(0xfc | 3);
        out.write(0xe0 | sps.size());
        sps.forEach(unit -> write(out, unit));
        out.write(pps.size());
        pps.forEach(unit -> write(out, unit));
        if (Sps.hasChroma(first.profileIdc())) {
            out.write(0xfc | first.chromaFormatIdc());
            out.write(0xf8 | (first.bitDepth() - 8));
            out.write(0xf8 | (first.chromaBitDepth() - 8));
            out.write(0);
        }
        return parse(MemorySegment.ofArray(out.toByteArray()));
    }

    /** Whole units, at least one. */
    public List<MemorySegment> sequenceParameterSets() {
        return layout(bytes).sps();
    }

    /** Whole units, at least one. */
    public List<MemorySegment> frameParameterSets() {
        return layout(bytes).pps();
    }

    /** pic_parameter_set_id of each (Rec. ITU-T H.264, 7.3.2.2). */
    public List<Integer> frameParameterSetIds() {
        List<Integer> ids = new ArrayList<>();
        for (MemorySegment unit : frameParameterSets()) {
            var reader = new BitReader(NalUnits.unescaped(unit), "pps");
            reader.skip(8, "nal_unit_header");
            ids.add(reader.ue(255, "pic_parameter_set_id"));
        }
        return List.copyOf(ids);
    }

    /** Returns the first sequence parameter set, parsed. */
    public Sps sps() {
        return Sps.parse(sequenceParameterSets().getFirst());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AvcConfig that && ConfigBytes.same(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return ConfigBytes.hash(bytes);
    }

    private record Layout(int nalLengthBytes, List<MemorySegment> sps, List<MemorySegment> pps) {}

    /**
     * Skips the fields after the parameter sets: they repeat values of the sets and are often
     * absent.
     */
    private static Layout layout(MemorySegment bytes) {
        var reader = new BitReader(bytes, NAME);
        reader.u(8, 1, 1, "configurationVersion");
        reader.skip(24, "AVCProfileIndication");
        reader.skip(6, "reserved");
        int nalLengthBytes = reader.u(2, "lengthSizeMinusOne") + 1;
        if (nalLengthBytes == 3) {
            throw reader.wrong("lengthSizeMinusOne", 2, "0, 1 or 3");
        }
        reader.skip(3, "reserved");
        int spsCount = reader.u(5, 1, 31, "numOfSequenceParameterSets");
        List<MemorySegment> sps = units(reader, spsCount, NalUnits.AVC_SPS);
        int ppsCount = reader.u(8, 1, 255, "numOfPictureParameterSets");
        return new Layout(nalLengthBytes, sps, units(reader, ppsCount, NalUnits.AVC_PPS));
    }

    private static List<MemorySegment> units(BitReader reader, int count, int type) {
        List<MemorySegment> units = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int length = reader.u(16, 1, 65_535, "parameterSetLength");
            MemorySegment unit = reader.slice(length, "parameterSetNALUnit");
            if (NalUnits.avcType(unit) != type) {
                throw reader.wrong("nal_unit_type", NalUnits.avcType(unit), String.valueOf(type));
            }
            units.add(unit);
        }
        return List.copyOf(units);
    }

    private static void write(ByteArrayOutputStream out, MemorySegment unit) {
        byte[] octets = unit.toArray(ValueLayout.JAVA_BYTE);
        if (octets.length > 65_535) {
            throw new IllegalArgumentException("parameter set: " + octets.length + " (<= 65535)");
        }
        out.write(octets.length >> 8);
        out.write(octets.length);
        out.writeBytes(octets);
    }
}
