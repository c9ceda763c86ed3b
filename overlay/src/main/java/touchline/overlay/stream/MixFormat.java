package touchline.overlay.stream;

import touchline.media.CodecConfig;
import touchline.media.Track;
import touchline.media.ffmpeg.AudioSettings;

/**
 * In which form a main audio is mixed.
 *
 * @param rateHz sample frames per second
 * @param channels 1 to 8
 * @param sameAac AAC-LC in frames of 1024, as the encoder makes it: units of both can follow each
 *     other on one track
 */
record MixFormat(int rateHz, int channels, boolean sameAac) {
    private static final int LOW_COMPLEXITY = 2;
    private static final int FRAME = 1024;
    private static final int UNUSED_CHANNELS = 7;
    private static final int BPS_PER_CHANNEL = 96_000;

    /** For what cannot be joined with our AAC, and where there is none: what every player takes. */
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
