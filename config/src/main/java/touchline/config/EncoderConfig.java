package touchline.config;

/**
 * {@code encoder}.
 *
 * @param video auto, nvenc, x264 or openh264
 * @param bitrateBps of composited frames; 0 follows what comes in
 * @param speed preset while the machine keeps up, ultrafast to medium
 * @param threads of one encoder; 0 goes by the frames' size
 * @param decoder auto, nvdec or software
 */
public record EncoderConfig(
        String video, int bitrateBps, String speed, int threads, String decoder) {}
