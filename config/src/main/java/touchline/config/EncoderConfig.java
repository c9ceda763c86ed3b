package touchline.config;

/**
 * {@code encoder}.
 *
 * @param video auto, nvenc, x264 or openh264
 */
public record EncoderConfig(String video) {}
