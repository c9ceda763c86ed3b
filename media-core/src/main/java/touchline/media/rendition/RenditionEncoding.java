package touchline.media.rendition;

import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoSettings;

/**
 * Settings of all encoders of renditions. Immutable, any thread.
 *
 * @param encoder one that this host can open
 * @param threads of one encoder, 1 to 16; 0 selects by frame size
 * @param hardwareDecoder whether a GPU may decode, if there is one
 */
public record RenditionEncoding(
        H264Encoder encoder, VideoSettings.Speed speed, int threads, boolean hardwareDecoder) {
    public RenditionEncoding {
        if (threads < 0 || threads > 16) {
            throw new IllegalArgumentException("threads: " + threads + " (0..16)");
        }
    }
}
