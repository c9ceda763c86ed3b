package touchline.media.ffmpeg;

import java.util.Locale;

/**
 * Settings for H.264 encoding. Immutable, any thread.
 *
 * @param format size and colours of every frame
 * @param frameRate nominal; the frames' times are authoritative
 * @param bitrateBps constant rate over one second, 16 000 to 200 000 000
 * @param gop key frame interval
 * @param tuning trade-off between speed, quality and delay
 * @param encoder the encoder; see {@link EncoderCapabilities}
 * @param parameterSetId id of the parameter sets, 0 to 31: must differ from the id of the stream
 *     into which the units are inserted; x264 only
 */
public record VideoSettings(
        FrameFormat format,
        FrameRate frameRate,
        int bitrateBps,
        Gop gop,
        Tuning tuning,
        H264Encoder encoder,
        int parameterSetId) {
    private static final int MIN_BITRATE_BPS = 16_000;
    private static final int MAX_BITRATE_BPS = 200_000_000;

    public VideoSettings {
        if (bitrateBps < MIN_BITRATE_BPS || bitrateBps > MAX_BITRATE_BPS) {
            throw new IllegalArgumentException(
                    "bitrateBps: %d (%d..%d)"
                            .formatted(bitrateBps, MIN_BITRATE_BPS, MAX_BITRATE_BPS));
        }
        if (parameterSetId < 0 || parameterSetId > 31) {
            throw new IllegalArgumentException("parameterSetId: " + parameterSetId + " (0..31)");
        }
    }

    /** 2.5 Mbit/s, a key frame every two seconds, no B-frames, no delay. */
    public static VideoSettings live(FrameFormat format, FrameRate frameRate, H264Encoder encoder) {
        int gopFrames = Math.toIntExact(Math.round(frameRate.perSecond() * 2));
        return new VideoSettings(
                format,
                frameRate,
                2_500_000,
                new Gop(Math.max(1, gopFrames), 0),
                new Tuning(Speed.VERYFAST, 1, true),
                encoder,
                /* parameterSetId= */ 0);
    }

    public VideoSettings with(H264Encoder newEncoder) {
        return new VideoSettings(
                format, frameRate, bitrateBps, gop, tuning, newEncoder, parameterSetId);
    }

    public VideoSettings with(Gop newGop) {
        return new VideoSettings(
                format, frameRate, bitrateBps, newGop, tuning, encoder, parameterSetId);
    }

    public VideoSettings with(Tuning newTuning) {
        return new VideoSettings(
                format, frameRate, bitrateBps, gop, newTuning, encoder, parameterSetId);
    }

    public VideoSettings withBitrate(int newBitrateBps) {
        return new VideoSettings(
                format, frameRate, newBitrateBps, gop, tuning, encoder, parameterSetId);
    }

    public VideoSettings withParameterSetId(int newParameterSetId) {
        return new VideoSettings(
                format, frameRate, bitrateBps, gop, tuning, encoder, newParameterSetId);
    }

    /**
     * Key frames have exactly this interval. Scene changes insert no key frame, so that segments
     * have equal durations.
     *
     * @param frames key frame interval, 1 to 3600
     * @param bFrames maximum consecutive B-frames, 0 to 4; openh264 supports none
     */
    public record Gop(int frames, int bFrames) {
        public Gop {
            if (frames < 1 || frames > 3600) {
                throw new IllegalArgumentException("gop frames: " + frames + " (1..3600)");
            }
            if (bFrames < 0 || bFrames > 4) {
                throw new IllegalArgumentException("B-frames: " + bFrames + " (0..4)");
            }
        }
    }

    /**
     * @param speed x264's preset or the equivalent of another encoder
     * @param threads 1 to 16; without {@code lowDelay} each thread above 1 adds a delay of one
     *     frame
     * @param lowDelay each call returns its own frame; reduces quality slightly
     */
    public record Tuning(Speed speed, int threads, boolean lowDelay) {
        public Tuning {
            if (threads < 1 || threads > 16) {
                throw new IllegalArgumentException("threads: " + threads + " (1..16)");
            }
        }
    }

    /** Fastest first. */
    public enum Speed {
        ULTRAFAST("p1"),
        SUPERFAST("p2"),
        VERYFAST("p3"),
        FASTER("p4"),
        FAST("p5"),
        MEDIUM("p6");

        private final String nvencPreset;

        Speed(String nvencPreset) {
            this.nvencPreset = nvencPreset;
        }

        public String x264Preset() {
            return name().toLowerCase(Locale.ROOT);
        }

        public String nvencPreset() {
            return nvencPreset;
        }
    }
}
