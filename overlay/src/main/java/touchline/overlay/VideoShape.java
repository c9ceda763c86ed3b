package touchline.overlay;

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
record VideoShape(int width, int height, double frameRate) {
    static final VideoShape UNKNOWN = new VideoShape(0, 0, 0);

    private static final int USUAL_FRAME_RATE = 30;
    private static final int MILLI = 1_000;
    private static final double MAX_FRAME_RATE = 240;

    static VideoShape of(Track track) {
        return switch (track.codec()) {
            case CodecConfig.Avc(var config) ->
                    new VideoShape(config.width(), config.height(), config.frameRate());
            case CodecConfig.Hevc(var config) ->
                    new VideoShape(config.width(), config.height(), config.frameRate());
            case CodecConfig.Av1(var config) ->
                    new VideoShape(config.width(), config.height(), config.frameRate());
            case CodecConfig.Aac _, CodecConfig.Opus _, CodecConfig.Mp3 _ -> UNKNOWN;
        };
    }

    /** Nominal rate for an encoder; the frames have their own times. */
    FrameRate nominalRate() {
        return frameRate >= 1 && frameRate <= MAX_FRAME_RATE
                ? new FrameRate((int) Math.round(frameRate * MILLI), MILLI)
                : FrameRate.of(USUAL_FRAME_RATE);
    }
}
