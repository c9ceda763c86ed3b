package touchline.overlay.stream;

import java.util.function.DoubleUnaryOperator;
import touchline.media.ffmpeg.Pcm;

/** Test tones, and their amplitude in audio. */
final class Tones {
    private Tones() {}

    static DoubleUnaryOperator sine(double hz, double amplitude) {
        return seconds -> amplitude * Math.sin(2 * Math.PI * hz * seconds);
    }

    /** The same tone in all channels. */
    static Pcm pcm(int rateHz, int channels, long startFrame, int frames, DoubleUnaryOperator at) {
        float[] samples = new float[frames * channels];
        for (int i = 0; i < frames; i++) {
            float value = (float) at.applyAsDouble((startFrame + i) / (double) rateHz);
            for (int channel = 0; channel < channels; channel++) {
                samples[i * channels + channel] = value;
            }
        }
        return Pcm.of(rateHz, channels, startFrame, samples);
    }

    /** Amplitude of one frequency in mono samples, by a windowed Fourier sum. */
    static double amplitude(float[] samples, int from, int count, double hz, int rateHz) {
        double re = 0;
        double im = 0;
        double weights = 0;
        for (int i = 0; i < count; i++) {
            double weight = 0.5 - 0.5 * Math.cos(2 * Math.PI * (i + 0.5) / count);
            double phase = 2 * Math.PI * hz * i / rateHz;
            re += weight * samples[from + i] * Math.cos(phase);
            im += weight * samples[from + i] * Math.sin(phase);
            weights += weight;
        }
        return 2 * Math.hypot(re, im) / weights;
    }

    static double decibels(double ratio) {
        return 20 * Math.log10(ratio);
    }
}
