package touchline.overlay;

import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.ffmpeg.GpuUse;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoSettings.Speed;

/**
 * Settings of a compositor. Immutable, any thread.
 *
 * @param stream for thread names and logs
 * @param session likewise
 * @param keyFrameUs key frame interval in media time: the packager cuts segments there
 * @param encoding settings of the encoder
 * @param gpu what a GPU may do
 */
public record CompositorSettings(
        StreamId stream, SessionId session, long keyFrameUs, Encoding encoding, GpuUse gpu) {
    public CompositorSettings {
        if (keyFrameUs <= 0) {
            throw new IllegalArgumentException("keyFrameUs: " + keyFrameUs + " (> 0)");
        }
    }

    /**
     * @param encoder one that this host can open
     * @param bitrateBps video bit rate; 0 follows the source
     * @param speed normal speed; overload selects a faster one
     * @param threads encoder threads, 1 to 16; 0 selects by frame size
     */
    public record Encoding(H264Encoder encoder, int bitrateBps, Speed speed, int threads) {
        public Encoding {
            if (bitrateBps < 0 || threads < 0 || threads > 16) {
                throw new IllegalArgumentException(
                        "bitrateBps: %d, threads: %d (>= 0, 0..16)".formatted(bitrateBps, threads));
            }
        }
    }
}
