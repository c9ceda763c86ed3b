package touchline.media.ffmpeg;

import java.util.ArrayList;
import java.util.List;
import touchline.media.AccessUnit;

/** A frame of silence in AAC-LC, which may be repeated. Stateless; a platform thread. */
public final class SilentUnit {
    private static final int MIN_RATE_HZ = 8_000;
    private static final int MAX_RATE_HZ = 96_000;
    private static final int STANDARD_RATE_HZ = 48_000;
    private static final int MAX_CHANNELS = 2;
    private static final int BPS_PER_CHANNEL = 32_000;
    private static final int UNIT_FRAMES = 1_024;

    private static final int ENCODED_UNITS = 8;

    /** A unit in the middle: the first ones contain the encoder's start. */
    private static final int TAKEN_UNIT = 4;

    private SilentUnit() {}

    /**
     * Encodes it.
     *
     * @param rateHz of the audio that it stands beside; 48,000 where AAC has no such rate
     * @param channels of that audio; stereo at most
     * @return a unit of 1024 sample frames; its track has the decoder configuration
     */
    public static AccessUnit of(int rateHz, int channels) {
        int used = Math.clamp(channels, 1, MAX_CHANNELS);
        boolean isRateOfAac = rateHz >= MIN_RATE_HZ && rateHz <= MAX_RATE_HZ;
        return of(
                new AudioSettings(
                        isRateOfAac ? rateHz : STANDARD_RATE_HZ, used, BPS_PER_CHANNEL * used));
    }

    /**
     * Encodes it in a format of AAC.
     *
     * @throws RuntimeException the encoder has no such format
     */
    public static AccessUnit of(AudioSettings settings) {
        List<AccessUnit> units = new ArrayList<>();
        try (AudioEncoder encoder = AudioEncoder.open(settings)) {
            units.addAll(
                    encoder.encode(
                            Pcm.silence(
                                    settings.sampleRateHz(),
                                    settings.channels(),
                                    /* startFrame= */ 0,
                                    ENCODED_UNITS * UNIT_FRAMES)));
            units.addAll(encoder.finish());
        }
        return units.get(Math.min(TAKEN_UNIT, units.size() - 1));
    }
}
