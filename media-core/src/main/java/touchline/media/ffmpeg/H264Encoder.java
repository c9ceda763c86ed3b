package touchline.media.ffmpeg;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The supported H.264 encoders, best first. */
public enum H264Encoder {
    /** NVIDIA's hardware encoder. */
    NVENC("h264_nvenc"),
    /** x264; only in the GPL build of the natives. */
    X264("libx264"),
    /** Cisco's encoder: constrained rate control, no B-frames. */
    OPENH264("libopenh264");

    private final String codecName;

    H264Encoder(String codecName) {
        this.codecName = codecName;
    }

    /** Returns FFmpeg's name of the encoder. */
    public String codecName() {
        return codecName;
    }

    /** Returns the value of the configuration key {@code encoder.video}. */
    public String configName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Parses {@code encoder.video}; empty for {@code auto}.
     *
     * @throws IllegalArgumentException unknown name; the message lists the known ones
     */
    public static Optional<H264Encoder> ofConfig(String name) {
        if (name.equals("auto")) {
            return Optional.empty();
        }
        return Optional.of(
                Arrays.stream(values())
                        .filter(encoder -> encoder.configName().equals(name))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                "video encoder: "
                                                        + name
                                                        + " (expected: auto, "
                                                        + known()
                                                        + ")")));
    }

    private static String known() {
        return Arrays.stream(values())
                .map(H264Encoder::configName)
                .collect(Collectors.joining(", "));
    }
}
