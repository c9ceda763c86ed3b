package touchline.media.codec;

import java.lang.foreign.MemorySegment;

/**
 * Size and timing from a sequence parameter set of H.265 (Rec. ITU-T H.265, 7.3.2.2 and E.2.1);
 * other fields are skipped. Immutable, any thread.
 *
 * @param frameRate frames per second, 0 if the VUI value is absent or implausible
 * @param sequence size and references for a decoder
 */
public record HevcSps(int width, int height, double frameRate, VideoSequence sequence) {
    private static final int MAX_SAMPLES = 16_384;
    private static final int MAX_FRAME_SETS = 64;
    private static final int MAX_SET_FRAMES = 16;

    private static final int MAX_REFERENCES = 16;

    private record Size(
            int width, int height, int codedWidth, int codedHeight, int chromaFormatIdc) {}

    /**
     * Reads a whole unit, including its header and emulation prevention bytes.
     *
     * @throws MalformedMediaException if it is truncated or a value is outside the range of the
     *     standard
     */
    public static HevcSps parse(MemorySegment unit) {
        var reader = new BitReader(NalUnits.unescaped(unit), "hevc_sps");
        reader.u(1, 0, 0, "forbidden_zero_bit");
        reader.u(6, NalUnits.HEVC_SPS, NalUnits.HEVC_SPS, "nal_unit_type");
        reader.skip(9, "nuh_layer_id");
        reader.skip(4, "sps_video_parameter_set_id");
        int subLayers = reader.u(3, 0, 6, "sps_max_sub_layers_minus1");
        reader.skip(1, "sps_temporal_id_nesting_flag");
        skipProfileTierLevel(reader, subLayers);
        reader.ue(15, "sps_seq_parameter_set_id");
        Size size = size(reader);
        int lumaDepth = 8 + reader.ue(8, "bit_depth_luma_minus8");
        int chromaDepth = 8 + reader.ue(8, "bit_depth_chroma_minus8");
        int frameOrderBits = 4 + reader.ue(12, "log2_max_pic_order_cnt_lsb_minus4");
        boolean everyLayer = reader.flag("sps_sub_layer_ordering_info_present_flag");
        long references = 1;
        for (int i = everyLayer ? 0 : subLayers; i <= subLayers; i++) {
            references =
                    Math.max(references, 1 + reader.ueLong("sps_max_dec_pic_buffering_minus1"));
            reader.ueLong("sps_max_num_reorder_pics");
            reader.ueLong("sps_max_latency_increase_plus1");
        }
        skipCodingTools(reader);
        skipReferenceSets(reader);
        if (reader.flag("long_term_ref_pics_present_flag")) {
            int frames = reader.ue(32, "num_long_term_ref_pics_sps");
            reader.skip(frames * (frameOrderBits + 1L), "lt_ref_pic_poc_lsb_sps");
        }
        reader.skip(2, "sps_temporal_mvp_enabled_flag");
        double rate = reader.flag("vui_parameters_present_flag") ? frameRate(reader) : 0;
        var sequence =
                new VideoSequence(
                        size.codedWidth(),
                        size.codedHeight(),
                        size.chromaFormatIdc(),
                        Math.max(lumaDepth, chromaDepth),
                        (int) Math.min(references, MAX_REFERENCES));
        return new HevcSps(size.width(), size.height(), rate, sequence);
    }

    /** Rec. ITU-T H.265, 7.3.3. */
    private static void skipProfileTierLevel(BitReader reader, int subLayers) {
        reader.skip(96, "general_profile_idc");
        boolean[] profile = new boolean[subLayers];
        boolean[] level = new boolean[subLayers];
        for (int i = 0; i < subLayers; i++) {
            profile[i] = reader.flag("sub_layer_profile_present_flag");
            level[i] = reader.flag("sub_layer_level_present_flag");
        }
        if (subLayers > 0) {
            reader.skip(2L * (8 - subLayers), "reserved_zero_2bits");
        }
        for (int i = 0; i < subLayers; i++) {
            reader.skip((profile[i] ? 88 : 0) + (level[i] ? 8 : 0), "sub_layer_profile_idc");
        }
    }

    private static Size size(BitReader reader) {
        int chroma = reader.ue(3, "chroma_format_idc");
        boolean separate = chroma == 3 && reader.flag("separate_colour_plane_flag");
        int planes = separate ? 0 : chroma;
        int width = reader.ue(MAX_SAMPLES, "pic_width_in_luma_samples");
        int height = reader.ue(MAX_SAMPLES, "pic_height_in_luma_samples");
        int codedWidth = width;
        int codedHeight = height;
        if (reader.flag("conformance_window_flag")) {
            int unitX = planes == 1 || planes == 2 ? 2 : 1;
            int unitY = planes == 1 ? 2 : 1;
            width -= unitX * (window(reader, "left") + window(reader, "right"));
            height -= unitY * (window(reader, "top") + window(reader, "bottom"));
        }
        if (width <= 0 || height <= 0) {
            throw reader.wrong("pic_width_in_luma_samples", width + "x" + height, "a frame");
        }
        return new Size(width, height, codedWidth, codedHeight, chroma);
    }

    private static int window(BitReader reader, String side) {
        return reader.ue(MAX_SAMPLES, "conf_win_" + side + "_offset");
    }

    private static void skipCodingTools(BitReader reader) {
        for (int i = 0; i < 6; i++) {
            reader.ueLong("log2_min_luma_coding_block_size_minus3");
        }
        if (reader.flag("scaling_list_enabled_flag")
                && reader.flag("sps_scaling_list_data_present_flag")) {
            skipScalingLists(reader);
        }
        reader.skip(2, "amp_enabled_flag");
        if (reader.flag("pcm_enabled_flag")) {
            reader.skip(8, "pcm_sample_bit_depth_luma_minus1");
            reader.ueLong("log2_min_pcm_luma_coding_block_size_minus3");
            reader.ueLong("log2_diff_max_min_pcm_luma_coding_block_size");
            reader.skip(1, "pcm_loop_filter_disabled_flag");
        }
    }

    /** Rec. ITU-T H.265, 7.3.4. */
    private static void skipScalingLists(BitReader reader) {
        for (int size = 0; size < 4; size++) {
            for (int matrix = 0; matrix < 6; matrix += size == 3 ? 3 : 1) {
                if (!reader.flag("scaling_list_pred_mode_flag")) {
                    reader.ueLong("scaling_list_pred_matrix_id_delta");
                    continue;
                }
                if (size > 1) {
                    reader.se("scaling_list_dc_coef_minus8");
                }
                int coefficients = Math.min(64, 1 << (4 + 2 * size));
                for (int i = 0; i < coefficients; i++) {
                    reader.se("scaling_list_delta_coef");
                }
            }
        }
    }

    /** Rec. ITU-T H.265, 7.3.7: a set may be coded as the difference to the previous one. */
    private static void skipReferenceSets(BitReader reader) {
        int sets = reader.ue(MAX_FRAME_SETS, "num_short_term_ref_pic_sets");
        int before = 0;
        for (int i = 0; i < sets; i++) {
            before =
                    i > 0 && reader.flag("inter_ref_pic_set_prediction_flag")
                            ? predictedSet(reader, before)
                            : explicitSet(reader);
        }
    }

    private static int predictedSet(BitReader reader, int before) {
        reader.skip(1, "delta_rps_sign");
        reader.ueLong("abs_delta_rps_minus1");
        int frames = 0;
        for (int j = 0; j <= before; j++) {
            boolean used = reader.flag("used_by_curr_pic_flag");
            if (used || reader.flag("use_delta_flag")) {
                frames++;
            }
        }
        return frames;
    }

    private static int explicitSet(BitReader reader) {
        int frames =
                reader.ue(MAX_SET_FRAMES, "num_negative_pics")
                        + reader.ue(MAX_SET_FRAMES, "num_positive_pics");
        for (int j = 0; j < frames; j++) {
            reader.ueLong("delta_poc_minus1");
            reader.skip(1, "used_by_curr_pic_flag");
        }
        return frames;
    }

    /** The VUI up to its timing (Rec. ITU-T H.265, E.2.1); one tick is a whole frame. */
    private static double frameRate(BitReader reader) {
        Sps.skipAppearance(reader);
        reader.skip(3, "neutral_chroma_indication_flag");
        if (reader.flag("default_display_window_flag")) {
            for (int i = 0; i < 4; i++) {
                reader.ueLong("def_disp_win_offset");
            }
        }
        if (!reader.flag("vui_timing_info_present_flag")) {
            return 0;
        }
        long unitsInTick = reader.u32(32, "vui_num_units_in_tick");
        long timeScale = reader.u32(32, "vui_time_scale");
        return Sps.plausible((double) timeScale, (double) unitsInTick);
    }
}
