package touchline.config;

/**
 * {@code encoder}.
 *
 * @param video auto, nvenc, x264 or openh264
 * @param bitrateBps of composited video; 0 follows the bit rate of the input
 * @param speed preset at normal load, ultrafast to medium
 * @param threads of one encoder; 0 derives the number from the frame size
 * @param decoder auto, nvdec or software
 * @param maxRenditions of all live streams together; 0 derives the number from the host
 */
public record EncoderConfig(
        String video,
        int bitrateBps,
        String speed,
        int threads,
        String decoder,
        int maxRenditions) {}
