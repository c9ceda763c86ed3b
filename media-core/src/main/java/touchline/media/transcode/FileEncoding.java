package touchline.media.transcode;

import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoSettings;

/**
 * By what means frames are encoded. Immutable, any thread.
 *
 * @param encoder which one
 * @param speed x264's preset, or its like
 * @param threads 1 to 16, of decoder, scaler and encoder each
 */
public record FileEncoding(H264Encoder encoder, VideoSettings.Speed speed, int threads) {
    public FileEncoding {
        if (threads < 1 || threads > 16) {
            throw new IllegalArgumentException("threads: " + threads + " (1..16)");
        }
    }
}
