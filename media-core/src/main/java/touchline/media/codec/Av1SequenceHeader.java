package touchline.media.codec;

import java.lang.foreign.MemorySegment;

/**
 * Size and timing from a sequence header OBU (AV1 bitstream specification, 5.5.1). Immutable, any
 * thread.
 *
 * @param width max_frame_width of the sequence
 * @param height max_frame_height of the sequence
 * @param frameRate frames per second, 0 if the timing info is absent or implausible
 * @param sequence size and references for a decoder
 */
public record Av1SequenceHeader(int width, int height, double frameRate, VideoSequence sequence) {
    /** NUM_REF_FRAMES (AV1 bitstream specification, 3). */
    private static final int REFERENCES = 8;

    /**
     * Reads the OBU's payload, without its header and size.
     *
     * @throws MalformedMediaException if it is truncated or a value is outside the range of the
     *     specification
     */
    public static Av1SequenceHeader parse(MemorySegment payload) {
        var reader = new BitReader(payload, "sequence_header_obu");
        int profile = reader.u(3, 0, 2, "seq_profile");
        reader.skip(1, "still_picture");
        double rate = 0;
        if (reader.flag("reduced_still_picture_header")) {
            reader.skip(5, "seq_level_idx");
        } else {
            boolean timing = reader.flag("timing_info_present_flag");
            int delayBits = 0;
            if (timing) {
                rate = timing(reader);
                if (reader.flag("decoder_model_info_present_flag")) {
                    delayBits = reader.u(5, "buffer_delay_length_minus_1") + 1;
                    reader.skip(42, "num_units_in_decoding_tick");
                }
            }
            skipOperatingPoints(reader, delayBits);
        }
        int widthBits = reader.u(4, "frame_width_bits_minus_1") + 1;
        int heightBits = reader.u(4, "frame_height_bits_minus_1") + 1;
        int width = reader.u(widthBits, "max_frame_width_minus_1") + 1;
        int height = reader.u(heightBits, "max_frame_height_minus_1") + 1;
        return new Av1SequenceHeader(width, height, rate, sequence(width, height, profile));
    }

    /** The largest frame format of the profile (AV1 bitstream specification, 6.4.1). */
    private static VideoSequence sequence(int width, int height, int profile) {
        int chromaFormatIdc = profile == 0 ? 1 : 3;
        return new VideoSequence(
                width, height, chromaFormatIdc, profile == 2 ? 12 : 10, REFERENCES);
    }

    /** AV1 bitstream specification, 5.5.3. */
    private static double timing(BitReader reader) {
        long unitsInTick = reader.u32(32, "num_units_in_display_tick");
        long timeScale = reader.u32(32, "time_scale");
        if (!reader.flag("equal_picture_interval")) {
            return 0;
        }
        long ticks = reader.ueLong("num_ticks_per_picture_minus_1") + 1;
        return Sps.plausible((double) timeScale, (double) unitsInTick * ticks);
    }

    private static void skipOperatingPoints(BitReader reader, int delayBits) {
        boolean initialDelay = reader.flag("initial_display_delay_present_flag");
        int points = reader.u(5, "operating_points_cnt_minus_1") + 1;
        for (int i = 0; i < points; i++) {
            reader.skip(12, "operating_point_idc");
            if (reader.u(5, "seq_level_idx") > 7) {
                reader.skip(1, "seq_tier");
            }
            if (delayBits > 0 && reader.flag("decoder_model_present_for_this_op")) {
                reader.skip(2L * delayBits + 1, "decoder_buffer_delay");
            }
            if (initialDelay && reader.flag("initial_display_delay_present_for_this_op")) {
                reader.skip(4, "initial_display_delay_minus_1");
            }
        }
    }
}
