package touchline.packager.isobmff;

import java.util.Optional;
import touchline.media.CodecConfig;

/**
 * Video format in a decoder configuration. Immutable, any thread.
 *
 * @param width in pixels
 * @param height in pixels
 * @param frameRate per second; 0 if unknown
 */
public record VideoFormat(int width, int height, double frameRate) {
    /** Empty for audio. */
    public static Optional<VideoFormat> of(CodecConfig codec) {
        return switch (codec) {
            case CodecConfig.Avc(var config) ->
                    Optional.of(
                            new VideoFormat(config.width(), config.height(), config.frameRate()));
            case CodecConfig.Hevc(var config) ->
                    Optional.of(
                            new VideoFormat(config.width(), config.height(), config.frameRate()));
            case CodecConfig.Av1(var config) ->
                    Optional.of(
                            new VideoFormat(config.width(), config.height(), config.frameRate()));
            case CodecConfig.Aac _, CodecConfig.Opus _, CodecConfig.Mp3 _ -> Optional.empty();
        };
    }
}
