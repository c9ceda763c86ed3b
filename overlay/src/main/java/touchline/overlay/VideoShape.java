package touchline.overlay;

import touchline.media.CodecConfig;
import touchline.media.Track;
import touchline.media.ffmpeg.FrameRate;

/**
 * What a track's configuration says of its frames. Immutable, any thread.
 *
 * @param width 0 where it is not told
 * @param height likewise
 * @param frameRate frames a second; 0 where it is not told
 */
record VideoShape(int width, int height, double frameRate) {
    static final VideoShape UNKNOWN = new VideoShape(0, 0, 0);

    private static final int USUAL_FRAME_RATE = 30;
    private static final int MILLI = 1_000;
    private static final double MOST = 240;

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

    long pixels() {
        return (long) width * height;
    }

    /** For an encoder, which wants one, although the frames' own times count. */
    FrameRate nominalRate() {
        return frameRate >= 1 && frameRate <= MOST
                ? new FrameRate((int) Math.round(frameRate * MILLI), MILLI)
                : FrameRate.of(USUAL_FRAME_RATE);
    }
}
