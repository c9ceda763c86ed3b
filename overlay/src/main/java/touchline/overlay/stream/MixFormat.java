package touchline.overlay.stream;

import touchline.media.CodecConfig;
import touchline.media.Track;
import touchline.media.ffmpeg.AudioSettings;

/**
 * Format of the mix.
 *
 * @param rateHz sample frames per second
 * @param channels 1 to 8
 * @param sameAac whether the main audio is AAC-LC with 1024 samples per frame, as the encoder makes
 *     it: units of both fit one track
 */
record MixFormat(int rateHz, int channels, boolean sameAac) {
    private static final int LOW_COMPLEXITY = 2;
    private static final int FRAME = 1024;
    private static final int UNUSED_CHANNELS = 7;
    private static final int BPS_PER_CHANNEL = 96_000;

    /** For other main audio, or none: a format that every player supports. */
    static final MixFormat OTHER = new MixFormat(48_000, 2, false);

    static MixFormat of(Track main) {
        if (main.codec() instanceof CodecConfig.Aac(var config)
                && config.objectType() == LOW_COMPLEXITY
                && config.samplesPerFrame() == FRAME
                && config.sampleRateHz() >= 8_000
                && config.sampleRateHz() <= 96_000
                && config.channels() <= 8
                && config.channels() != UNUSED_CHANNELS
                && main.timescale().ticksPerSecond() == config.sampleRateHz()) {
            return new MixFormat(config.sampleRateHz(), config.channels(), true);
        }
        return OTHER;
    }

    AudioSettings settings() {
        return new AudioSettings(rateHz, channels, BPS_PER_CHANNEL * channels);
    }
}
