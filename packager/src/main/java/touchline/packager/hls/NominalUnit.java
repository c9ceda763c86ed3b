package touchline.packager.hls;

import java.util.OptionalDouble;
import touchline.media.CodecConfig;
import touchline.packager.isobmff.VideoFormat;

/** The duration of a track's units as its configuration declares it. */
final class NominalUnit {
    private static final double MAX_PLAUSIBLE_FRAME_RATE = 240;
    private static final double US_PER_SECOND = 1e6;
    private static final double OPUS_US = 20_000;

    /** MPEG-1 layer III; half as many at the lower rates of MPEG-2. */
    private static final int MP3_SAMPLES = 1152;

    private static final int MPEG1_MIN_HZ = 32_000;

    private NominalUnit() {}

    /** In microseconds; empty for video that declares no plausible frame rate. */
    static OptionalDouble us(CodecConfig codec) {
        return switch (codec) {
            case CodecConfig.Aac(var config) ->
                    OptionalDouble.of(
                            US_PER_SECOND * config.samplesPerFrame() / config.sampleRateHz());
            case CodecConfig.Mp3(int rateHz, _) ->
                    OptionalDouble.of(
                            US_PER_SECOND
                                    * (rateHz >= MPEG1_MIN_HZ ? MP3_SAMPLES : MP3_SAMPLES / 2)
                                    / rateHz);
            case CodecConfig.Opus _ -> OptionalDouble.of(OPUS_US);
            case CodecConfig.Avc _, CodecConfig.Hevc _, CodecConfig.Av1 _ ->
                    video(VideoFormat.of(codec).map(VideoFormat::frameRate).orElse(0.0));
        };
    }

    private static OptionalDouble video(double framesPerSecond) {
        return framesPerSecond > 0 && framesPerSecond <= MAX_PLAUSIBLE_FRAME_RATE
                ? OptionalDouble.of(US_PER_SECOND / framesPerSecond)
                : OptionalDouble.empty();
    }
}
