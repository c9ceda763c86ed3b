package touchline.media.ffmpeg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AudioResamplerTest {
    private static final double TONE_HZ = 440;
    private static final int BLOCK = 1024;

    @ParameterizedTest
    @CsvSource({"44100,2,48000,2", "48000,2,44100,2", "48000,1,48000,2", "22050,1,48000,2"})
    void tone_atAnotherRate_isTheSameToneAtTheSameTime(
            int sourceHz, int sourceChannels, int rateHz, int channels) {
        long startFrame = 3L * sourceHz + 7;
        long next = Long.MIN_VALUE;
        int compared = 0;
        try (AudioResampler resampler =
                AudioResampler.open(tone(sourceHz, sourceChannels, 0), rateHz, channels)) {
            for (int block = 0; block < 20; block++) {
                Pcm made =
                        resampler.convert(
                                tone(sourceHz, sourceChannels, startFrame + (long) block * BLOCK));
                if (next != Long.MIN_VALUE) {
                    assertEquals(next, made.startFrame(), "follows without a gap");
                }
                next = made.startFrame() + made.frames();
                for (int i = 0; block > 1 && i < made.frames(); i++) {
                    double expected = sample((made.startFrame() + i) / (double) rateHz);
                    // Times are rounded to a sample frame.
                    double slope = 2 * Math.PI * TONE_HZ / rateHz;
                    assertEquals(expected, made.sample(i, channels - 1), 0.02 + slope);
                    compared++;
                }
            }
        }
        assertTrue(compared > 10_000 * (double) rateHz / sourceHz);
    }

    @Test
    void audio_afterAGap_hasItsOwnTime() {
        try (AudioResampler resampler = AudioResampler.open(tone(44_100, 2, 0), 48_000, 2)) {
            resampler.convert(tone(44_100, 2, 0));

            Pcm after = resampler.convert(tone(44_100, 2, 44_100 * 5));

            assertEquals(48_000 * 5, after.startFrame());
        }
    }

    @Test
    void audio_ofAnotherKind_isRefused() {
        try (AudioResampler resampler = AudioResampler.open(tone(44_100, 2, 0), 48_000, 2)) {
            Pcm mono = tone(44_100, 1, 0);

            assertFalse(resampler.takes(mono));
            assertThrows(IllegalArgumentException.class, () -> resampler.convert(mono));
        }
    }

    @Test
    void convert_afterClose_throws() {
        AudioResampler resampler = AudioResampler.open(tone(44_100, 2, 0), 48_000, 2);
        resampler.close();
        resampler.close();

        assertThrows(IllegalStateException.class, () -> resampler.convert(tone(44_100, 2, 0)));
    }

    private static double sample(double seconds) {
        return 0.5 * Math.sin(2 * Math.PI * TONE_HZ * seconds);
    }

    private static Pcm tone(int rateHz, int channels, long startFrame) {
        float[] samples = new float[BLOCK * channels];
        for (int i = 0; i < BLOCK; i++) {
            for (int channel = 0; channel < channels; channel++) {
                samples[i * channels + channel] =
                        (float) sample((startFrame + i) / (double) rateHz);
            }
        }
        return Pcm.of(rateHz, channels, startFrame, samples);
    }
}
