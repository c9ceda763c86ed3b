package touchline.overlay;

import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoSettings.Speed;

/**
 * How a compositor works. Immutable, any thread.
 *
 * @param stream for the names of threads and in logs
 * @param session likewise
 * @param keyFrameUs distance of key frames in media time, such as the packager cuts segments by
 * @param encoding what frames are encoded with
 * @param hardwareDecoder whether a graphics card may decode where there is one
 */
public record CompositorSettings(
        StreamId stream,
        SessionId session,
        long keyFrameUs,
        Encoding encoding,
        boolean hardwareDecoder) {
    public CompositorSettings {
        if (keyFrameUs <= 0) {
            throw new IllegalArgumentException("keyFrameUs: " + keyFrameUs + " (> 0)");
        }
    }

    /**
     * @param encoder one that this host can open
     * @param bitrateBps of the frames; 0 follows what comes in
     * @param speed while the machine can keep up; lighter ones follow by themselves
     * @param threads of the encoder, 1 to 16; 0 goes by the frames' size
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
