package touchline.api.demo;

import java.util.SplittableRandom;
import touchline.media.ffmpeg.Pcm;

/**
 * A crowd made of noise, and a beep whose first sample is the first of each second of the match, so
 * that frame and audio can be compared. Stereo. One thread.
 */
final class MatchAudio {
    static final int RATE_HZ = 48_000;
    static final int CHANNELS = 2;
    static final int BEEP_HZ = 1_000;
    static final int BEEP_SAMPLES = RATE_HZ / 10;

    private static final double BEEP_LEVEL = 0.35;
    private static final int RAMP_SAMPLES = RATE_HZ / 500;

    private final SplittableRandom random;
    private final double[] low = new double[CHANNELS];
    private final double[] band = new double[CHANNELS];
    private long next;

    MatchAudio(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** The following {@code frames} sample frames; times start at 0. */
    Pcm next(int frames) {
        float[] samples = new float[CHANNELS * frames];
        for (int i = 0; i < frames; i++) {
            long at = next + i;
            double beep = beep(at % RATE_HZ);
            double swell = swell(at / (double) RATE_HZ);
            for (int channel = 0; channel < CHANNELS; channel++) {
                samples[CHANNELS * i + channel] = (float) (beep + swell * crowd(channel));
            }
        }
        Pcm pcm = Pcm.of(RATE_HZ, CHANNELS, next, samples);
        next += frames;
        return pcm;
    }

    private static double beep(long sample) {
        if (sample >= BEEP_SAMPLES) {
            return 0;
        }
        double in = Math.min(1, (double) sample / RAMP_SAMPLES);
        double out = Math.min(1, (double) (BEEP_SAMPLES - sample) / RAMP_SAMPLES);
        double phase = 2 * Math.PI * BEEP_HZ * sample / RATE_HZ;
        return BEEP_LEVEL * Math.min(in, out) * Math.sin(phase);
    }

    /** Excitement comes and goes, in three slow waves. */
    private static double swell(double seconds) {
        double waves =
                0.5 * Math.sin(seconds * 0.9)
                        + 0.3 * Math.sin(seconds * 0.37 + 1)
                        + 0.2 * Math.sin(seconds * 2.3 + 2);
        return 0.45 + 0.22 * waves;
    }

    /** White noise through two one-pole filters: about 200 to 1,200 Hz, where voices are. */
    private double crowd(int channel) {
        double white = random.nextDouble() * 2 - 1;
        band[channel] += 0.15 * (white - band[channel]);
        low[channel] += 0.026 * (band[channel] - low[channel]);
        return 0.8 * (band[channel] - low[channel]);
    }
}
