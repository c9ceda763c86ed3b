package touchline.overlay.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class LimiterTest {
    private static final int RATE_HZ = 48_000;

    private final Limiter limiter = new Limiter(RATE_HZ, 1);

    @Test
    void audio_belowTheCeiling_isOnlyDelayed() {
        float[] in = tone(RATE_HZ, 997, 0.9);
        float[] out = in.clone();

        limiter.run(out, out.length);

        for (int i = limiter.delay(); i < out.length; i++) {
            assertEquals(in[i - limiter.delay()], out[i], 1e-6);
        }
    }

    @Test
    void noise_farAboveTheCeiling_neverPassesIt() {
        Random random = new Random(5);
        float[] samples = new float[5 * RATE_HZ];
        for (int i = 0; i < samples.length; i++) {
            samples[i] = (float) (random.nextGaussian() * (i / 20_000 % 2 == 0 ? 0.2 : 2));
        }

        limiter.run(samples, samples.length);

        for (float sample : samples) {
            assertTrue(Math.abs(sample) <= 1.001 * Limiter.CEILING, "sample " + sample);
        }
    }

    @Test
    void tone_aboveTheCeiling_keepsOneLevel() {
        float[] samples = tone(2 * RATE_HZ, 997, 2);

        limiter.run(samples, samples.length);

        for (int from = RATE_HZ / 2; from + 4_800 < samples.length; from += 4_800) {
            double level = Tones.amplitude(samples, from, 4_800, 997, RATE_HZ);
            assertEquals(Limiter.CEILING, level, 0.02, "at " + from);
        }
    }

    @Test
    void level_afterAPeak_comesBackWithoutAStep() {
        float[] samples = new float[RATE_HZ];
        Arrays.fill(samples, 0.4f);
        samples[10_000] = 1.9f;

        limiter.run(samples, samples.length);

        int peakAt = 10_000 + limiter.delay();
        for (int i = limiter.delay() + 1; i < samples.length; i++) {
            if (i != peakAt && i != peakAt + 1) {
                assertTrue(Math.abs(samples[i] - samples[i - 1]) < 0.005, "step at " + i);
            }
        }
        assertEquals(0.4, samples[RATE_HZ - 1], 0.01);
        assertTrue(samples[peakAt + 1] < 0.25, "the gain was down: " + samples[peakAt + 1]);
    }

    private static float[] tone(int frames, double hz, double amplitude) {
        float[] samples = new float[frames];
        for (int i = 0; i < frames; i++) {
            samples[i] = (float) Tones.sine(hz, amplitude).applyAsDouble(i / (double) RATE_HZ);
        }
        return samples;
    }
}
