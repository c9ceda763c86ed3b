package touchline.media.codec;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, 8.3.3.1.2): the decoder configuration of H.265.
 * Immutable, any thread; equality compares the bytes.
 *
 * @param bytes the record as received, read-only
 * @param width luma samples a row, inside the conformance window
 * @param height luma rows, inside the conformance window
 * @param nalLengthBytes size of the length before each unit: 1, 2 or 4
 * @param frameRate frames per second from the first parameter set, 0 if absent
 * @param rfc6381 e.g. {@code hvc1.1.6.L93.B0} (ISO/IEC 14496-15, Annex E)
 */
public record HevcConfig(
        MemorySegment bytes,
        int width,
        int height,
        int nalLengthBytes,
        double frameRate,
        String rfc6381) {
    private static final String NAME = "hvcC";
    private static final int CONSTRAINT_BYTES = 6;

    public HevcConfig {
        bytes = ConfigBytes.copyOf(bytes, NAME);
    }

    /**
     * @throws MalformedMediaException if the record or its first sequence parameter set is invalid,
     *     or VPS, SPS or PPS is missing
     */
    public static HevcConfig parse(MemorySegment bytes) {
        MemorySegment own = ConfigBytes.copyOf(bytes, NAME);
        Layout layout = layout(own);
        for (int type : new int[] {NalUnits.HEVC_VPS, NalUnits.HEVC_SPS, NalUnits.HEVC_PPS}) {
            if (layout.units(type).isEmpty()) {
                throw new MalformedMediaException(
                        NAME + ".NAL_unit_type", own.byteSize(), "none of " + type);
            }
        }
        HevcSps sps = HevcSps.parse(layout.units(NalUnits.HEVC_SPS).getFirst());
        return new HevcConfig(
                own,
                sps.width(),
                sps.height(),
                layout.nalLengthBytes(),
                sps.frameRate(),
                layout.rfc6381());
    }

    /** Whole units, at least one. */
    public List<MemorySegment> sequenceParameterSets() {
        return layout(bytes).units(NalUnits.HEVC_SPS);
    }

    /** Whole units of any type, e.g. {@link NalUnits#HEVC_PPS}. */
    public List<MemorySegment> units(int nalUnitType) {
        return layout(bytes).units(nalUnitType);
    }

    /** general_profile_idc: 1 main, 2 main 10. */
    public int profileIdc() {
        return ConfigBytes.octet(bytes, 1) & 0x1f;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof HevcConfig that && ConfigBytes.same(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return ConfigBytes.hash(bytes);
    }

    private record Layout(int nalLengthBytes, String rfc6381, List<MemorySegment> all) {
        List<MemorySegment> units(int type) {
            return all.stream().filter(unit -> NalUnits.hevcType(unit) == type).toList();
        }
    }

    private static Layout layout(MemorySegment bytes) {
        var reader = new BitReader(bytes, NAME);
        // Encoders of the draft write version 0; the layout is the same.
        reader.u(8, 0, 1, "configurationVersion");
        String rfc6381 = rfc6381(reader);
        reader.skip(16, "min_spatial_segmentation_idc");
        reader.skip(8, "parallelismType");
        reader.skip(8, "chroma_format_idc");
        reader.skip(16, "bit_depth_luma_minus8");
        reader.skip(16, "avgFrameRate");
        reader.skip(6, "constantFrameRate");
        int nalLengthBytes = reader.u(2, "lengthSizeMinusOne") + 1;
        if (nalLengthBytes == 3) {
            throw reader.wrong("lengthSizeMinusOne", 2, "0, 1 or 3");
        }
        int arrays = reader.u(8, 1, 64, "numOfArrays");
        List<MemorySegment> units = new ArrayList<>();
        for (int i = 0; i < arrays; i++) {
            reader.skip(2, "array_completeness");
            int type = reader.u(6, "NAL_unit_type");
            int count = reader.u(16, "numNalus");
            for (int j = 0; j < count; j++) {
                int length = reader.u(16, 2, 65_535, "nalUnitLength");
                MemorySegment unit = reader.slice(length, "nalUnit");
                if (NalUnits.hevcType(unit) != type) {
                    throw reader.wrong("nalUnit", NalUnits.hevcType(unit), String.valueOf(type));
                }
                units.add(unit);
            }
        }
        return new Layout(nalLengthBytes, rfc6381, List.copyOf(units));
    }

    /**
     * Profile space and idc, the compatibility flags in reverse bit order, tier and level, then the
     * six constraint bytes without their trailing zeros (ISO/IEC 14496-15, E.3).
     */
    private static String rfc6381(BitReader reader) {
        int space = reader.u(2, "general_profile_space");
        boolean highTier = reader.flag("general_tier_flag");
        int profile = reader.u(5, "general_profile_idc");
        int compatibility =
                Integer.reverse((int) reader.u32(32, "general_profile_compatibility_flags"));
        int[] constraints = new int[CONSTRAINT_BYTES];
        int used = 0;
        for (int i = 0; i < CONSTRAINT_BYTES; i++) {
            constraints[i] = reader.u(8, "general_constraint_indicator_flags");
            used = constraints[i] == 0 ? used : i + 1;
        }
        int level = reader.u(8, "general_level_idc");
        var text = new StringBuilder("hvc1.");
        text.append(space == 0 ? "" : String.valueOf((char) ('A' + space - 1)));
        text.append(profile).append('.');
        text.append(Integer.toHexString(compatibility).toUpperCase(Locale.ROOT)).append('.');
        text.append(highTier ? 'H' : 'L').append(level);
        for (int i = 0; i < used; i++) {
            text.append('.').append(Integer.toHexString(constraints[i]).toUpperCase(Locale.ROOT));
        }
        return text.toString();
    }
}
