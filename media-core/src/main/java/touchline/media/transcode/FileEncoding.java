package touchline.media.transcode;

import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoSettings;

/**
 * Encoder, speed and threads for video encoding. Immutable, any thread.
 *
 * @param encoder the encoder
 * @param speed x264's preset or the equivalent of another encoder
 * @param threads 1 to 16, of decoder, scaler and encoder each
 */
public record FileEncoding(H264Encoder encoder, VideoSettings.Speed speed, int threads) {
    public FileEncoding {
        if (threads < 1 || threads > 16) {
            throw new IllegalArgumentException("threads: " + threads + " (1..16)");
        }
    }
}
