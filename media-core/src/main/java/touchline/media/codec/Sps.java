package touchline.media.codec;

import java.lang.foreign.MemorySegment;

/**
 * Sequence parameter set of H.264 (Rec. ITU-T H.264, 7.3.2.1.1 and Annex E). Immutable, any thread.
 *
 * @param id seq_parameter_set_id, 0 to 31
 * @param profileIdc e.g. 66 baseline, 77 main, 100 high
 * @param constraintFlags constraint_set0_flag in the highest of 8 bits
 * @param levelIdc ten times the level
 * @param chromaFormatIdc 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4
 * @param bitDepth of luma samples, 8 to 14
 * @param chromaBitDepth of chroma samples, 8 to 14
 * @param width luma samples a row, after cropping
 * @param height luma rows of a frame, after cropping
 * @param progressive frames only, no fields
 * @param frameRate frames per second from the VUI; 0 if absent or implausible
 * @param reorderedFrames maximum frames that precede another in decoding order and follow it in
 *     output order; -1 if the VUI has no value
 * @param sequence size and references for a decoder
 */
public record Sps(
        int id,
        int profileIdc,
        int constraintFlags,
        int levelIdc,
        int chromaFormatIdc,
        int bitDepth,
        int chromaBitDepth,
        int width,
        int height,
        boolean progressive,
        double frameRate,
        int reorderedFrames,
        VideoSequence sequence) {
    private static final int MAX_MACROBLOCKS = 1_024;
    private static final int MAX_CROP = 16_384;
    private static final double MAX_FRAME_RATE = 300;
    private static final int EXTENDED_SAR = 255;

    private record Vui(double frameRate, int reorderedFrames) {
        private static final Vui NONE = new Vui(0, -1);
    }

    private record Chroma(int formatIdc, boolean separatePlanes, int bitDepth, int chromaBitDepth) {
        /** Values of profiles without these fields. */
        private static final Chroma USUAL = new Chroma(1, false, 8, 8);

        VideoSequence sequence(int width, int height, int references) {
            int depth = Math.max(bitDepth, chromaBitDepth);
            return new VideoSequence(width, height, formatIdc, depth, references);
        }
    }

    /**
     * Reads a whole unit, including its header and emulation prevention bytes.
     *
     * @throws MalformedMediaException if it is truncated or a value is outside the range of the
     *     standard
     */
    public static Sps parse(MemorySegment unit) {
        if (unit.byteSize() > ConfigBytes.MAX_BYTES) {
            throw new MalformedMediaException(
                    "sps",
                    0,
                    unit.byteSize() + " bytes (expected: <= " + ConfigBytes.MAX_BYTES + ")");
        }
        var reader = new BitReader(NalUnits.unescaped(unit), "sps");
        reader.u(1, 0, 0, "forbidden_zero_bit");
        reader.skip(2, "nal_ref_idc");
        reader.u(5, NalUnits.AVC_SPS, NalUnits.AVC_SPS, "nal_unit_type");
        int profileIdc = reader.u(8, "profile_idc");
        int constraintFlags = reader.u(8, "constraint_set_flags");
        int levelIdc = reader.u(8, "level_idc");
        int id = reader.ue(31, "seq_parameter_set_id");
        Chroma chroma = hasChroma(profileIdc) ? chroma(reader) : Chroma.USUAL;
        reader.ue(12, "log2_max_frame_num_minus4");
        skipFrameOrder(reader);
        int references = reader.ue(16, "max_num_ref_frames");
        reader.skip(1, "gaps_in_frame_num_value_allowed_flag");
        int columns = reader.ue(MAX_MACROBLOCKS - 1, "pic_width_in_mbs_minus1") + 1;
        int rows = reader.ue(MAX_MACROBLOCKS - 1, "pic_height_in_map_units_minus1") + 1;
        boolean progressive = reader.flag("frame_mbs_only_flag");
        if (!progressive) {
            reader.skip(1, "mb_adaptive_frame_field_flag");
        }
        reader.skip(1, "direct_8x8_inference_flag");
        int unitY = progressive ? 1 : 2;
        int planes = chroma.separatePlanes() ? 0 : chroma.formatIdc();
        int cropX = planes == 1 || planes == 2 ? 2 : 1;
        int cropY = (planes == 1 ? 2 : 1) * unitY;
        int width = columns * 16;
        int height = rows * 16 * unitY;
        VideoSequence sequence = chroma.sequence(width, height, references);
        if (reader.flag("frame_cropping_flag")) {
            width -= cropX * crop(reader, "left") + cropX * crop(reader, "right");
            height -= cropY * crop(reader, "top") + cropY * crop(reader, "bottom");
            if (width <= 0 || height <= 0) {
                throw reader.wrong("frame_crop_offset", width + "x" + height, "a frame");
            }
        }
        Vui vui = reader.flag("vui_parameters_present_flag") ? vui(reader) : Vui.NONE;
        return new Sps(
                id,
                profileIdc,
                constraintFlags,
                levelIdc,
                chroma.formatIdc(),
                chroma.bitDepth(),
                chroma.chromaBitDepth(),
                width,
                height,
                progressive,
                vui.frameRate(),
                vui.reorderedFrames(),
                sequence);
    }

    /** Profiles with additional colour fields (Rec. ITU-T H.264, 7.3.2.1.1). */
    static boolean hasChroma(int profileIdc) {
        return switch (profileIdc) {
            case 100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135 -> true;
            default -> false;
        };
    }

    private static int crop(BitReader reader, String side) {
        return reader.ue(MAX_CROP, "frame_crop_" + side + "_offset");
    }

    private static Chroma chroma(BitReader reader) {
        int formatIdc = reader.ue(3, "chroma_format_idc");
        boolean separate = formatIdc == 3 && reader.flag("separate_colour_plane_flag");
        int bitDepth = 8 + reader.ue(6, "bit_depth_luma_minus8");
        int chromaBitDepth = 8 + reader.ue(6, "bit_depth_chroma_minus8");
        reader.skip(1, "qpprime_y_zero_transform_bypass_flag");
        if (reader.flag("seq_scaling_matrix_present_flag")) {
            int lists = formatIdc == 3 ? 12 : 8;
            for (int i = 0; i < lists; i++) {
                if (reader.flag("seq_scaling_list_present_flag")) {
                    skipScalingList(reader, i < 6 ? 16 : 64);
                }
            }
        }
        return new Chroma(formatIdc, separate, bitDepth, chromaBitDepth);
    }

    /** Rec. ITU-T H.264, 7.3.2.1.1.1. */
    private static void skipScalingList(BitReader reader, int size) {
        long last = 8;
        long next = 8;
        for (int i = 0; i < size; i++) {
            if (next != 0) {
                next = Math.floorMod(last + reader.se("delta_scale"), 256L);
            }
            last = next == 0 ? last : next;
        }
    }

    private static void skipFrameOrder(BitReader reader) {
        int type = reader.ue(2, "pic_order_cnt_type");
        if (type == 0) {
            reader.ue(12, "log2_max_pic_order_cnt_lsb_minus4");
        } else if (type == 1) {
            reader.skip(1, "delta_pic_order_always_zero_flag");
            reader.se("offset_for_non_ref_pic");
            reader.se("offset_for_top_to_bottom_field");
            int frames = reader.ue(255, "num_ref_frames_in_pic_order_cnt_cycle");
            for (int i = 0; i < frames; i++) {
                reader.se("offset_for_ref_frame");
            }
        }
    }

    /**
     * The VUI up to the location of chroma samples, alike in Rec. ITU-T H.264 (E.1.1) and H.265
     * (E.2.1).
     */
    static void skipAppearance(BitReader reader) {
        if (reader.flag("aspect_ratio_info_present_flag")
                && reader.u(8, "aspect_ratio_idc") == EXTENDED_SAR) {
            reader.skip(32, "sar_width");
        }
        if (reader.flag("overscan_info_present_flag")) {
            reader.skip(1, "overscan_appropriate_flag");
        }
        if (reader.flag("video_signal_type_present_flag")) {
            reader.skip(4, "video_format");
            if (reader.flag("colour_description_present_flag")) {
                reader.skip(24, "colour_primaries");
            }
        }
        if (reader.flag("chroma_loc_info_present_flag")) {
            reader.ueLong("chroma_sample_loc_type_top_field");
            reader.ueLong("chroma_sample_loc_type_bottom_field");
        }
    }

    /** Rec. ITU-T H.264, E.1.1. */
    private static Vui vui(BitReader reader) {
        skipAppearance(reader);
        double frameRate = reader.flag("timing_info_present_flag") ? frameRate(reader) : 0;
        boolean nal = reader.flag("nal_hrd_parameters_present_flag");
        if (nal) {
            skipHrd(reader);
        }
        boolean vcl = reader.flag("vcl_hrd_parameters_present_flag");
        if (vcl) {
            skipHrd(reader);
        }
        if (nal || vcl) {
            reader.skip(1, "low_delay_hrd_flag");
        }
        reader.skip(1, "pic_struct_present_flag");
        int reordered = -1;
        if (reader.flag("bitstream_restriction_flag")) {
            reader.skip(1, "motion_vectors_over_pic_boundaries_flag");
            reader.ueLong("max_bytes_per_pic_denom");
            reader.ueLong("max_bits_per_mb_denom");
            reader.ueLong("log2_max_mv_length_horizontal");
            reader.ueLong("log2_max_mv_length_vertical");
            reordered = reader.ue(16, "max_num_reorder_frames");
            reader.ue(16, "max_dec_frame_buffering");
        }
        return new Vui(frameRate, reordered);
    }

    /** One tick is the time of one field (Rec. ITU-T H.264, E.2.1); a frame has two. */
    private static double frameRate(BitReader reader) {
        long unitsInTick = reader.u32(32, "num_units_in_tick");
        long timeScale = reader.u32(32, "time_scale");
        reader.skip(1, "fixed_frame_rate_flag");
        return plausible((double) timeScale, 2.0 * unitsInTick);
    }

    /** Returns frames per second, 0 if the ratio is implausible for a camera. */
    static double plausible(double timeScale, double unitsPerFrame) {
        double rate = unitsPerFrame == 0 ? 0 : timeScale / unitsPerFrame;
        return rate <= MAX_FRAME_RATE ? rate : 0;
    }

    /** Rec. ITU-T H.264, E.1.2. */
    private static void skipHrd(BitReader reader) {
        int count = reader.ue(31, "cpb_cnt_minus1") + 1;
        reader.skip(8, "bit_rate_scale");
        for (int i = 0; i < count; i++) {
            reader.ueLong("bit_rate_value_minus1");
            reader.ueLong("cpb_size_value_minus1");
            reader.skip(1, "cbr_flag");
        }
        reader.skip(20, "initial_cpb_removal_delay_length_minus1");
    }
}
