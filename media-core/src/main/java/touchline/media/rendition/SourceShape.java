package touchline.media.rendition;

import touchline.media.CodecConfig;
import touchline.media.Track;
import touchline.media.ffmpeg.FrameRate;

/**
 * Frame size and rate from a track's configuration. Immutable, any thread.
 *
 * @param width 0 if unknown
 * @param height likewise
 * @param frameRate frames per second; 0 if unknown
 */
record SourceShape(int width, int height, double frameRate) {
    private static final int USUAL_FRAME_RATE = 30;
    private static final int MILLI = 1_000;
    private static final double MAX_FRAME_RATE = 240;

    SourceShape {
        if (!(frameRate >= 1 && frameRate <= MAX_FRAME_RATE)) {
            frameRate = 0;
        }
    }

    static SourceShape of(Track track) {
        return switch (track.codec()) {
            case CodecConfig.Avc(var config) ->
                    new SourceShape(config.width(), config.height(), config.frameRate());
            case CodecConfig.Hevc(var config) ->
                    new SourceShape(config.width(), config.height(), config.frameRate());
            case CodecConfig.Av1(var config) ->
                    new SourceShape(config.width(), config.height(), config.frameRate());
            case CodecConfig.Aac _, CodecConfig.Opus _, CodecConfig.Mp3 _ ->
                    new SourceShape(0, 0, 0);
        };
    }

    /** Nominal rate of an encoder; the frames have their own times. */
    static FrameRate nominal(double frameRate) {
        return frameRate > 0
                ? new FrameRate(Math.toIntExact(Math.round(frameRate * MILLI)), MILLI)
                : FrameRate.of(USUAL_FRAME_RATE);
    }
}
