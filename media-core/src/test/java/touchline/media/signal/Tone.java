package touchline.media.signal;

import touchline.media.ffmpeg.Pcm;

/** Sines in blocks of 100 ms, each channel with its own level. */
final class Tone {
    private final int sampleRateHz;
    private final double hz;
    private long next;

    Tone(int sampleRateHz, double hz) {
        this.sampleRateHz = sampleRateHz;
        this.hz = hz;
    }

    /**
     * The following 100 ms.
     *
     * @param peaksDb level of each channel in dBFS; negative infinity is digital silence
     */
    Pcm block(double... peaksDb) {
        return clipped(Double.MAX_VALUE, peaksDb);
    }

    /** The same, with samples limited to this magnitude. */
    Pcm clipped(double limit, double... peaksDb) {
        int frames = sampleRateHz / 10;
        float[] samples = new float[frames * peaksDb.length];
        for (int i = 0; i < frames; i++) {
            double sine = Math.sin(2 * Math.PI * hz * (next + i) / sampleRateHz);
            for (int channel = 0; channel < peaksDb.length; channel++) {
                double sample = Math.pow(10, peaksDb[channel] / 20) * sine;
                samples[i * peaksDb.length + channel] = (float) Math.clamp(sample, -limit, limit);
            }
        }
        Pcm pcm = Pcm.of(sampleRateHz, peaksDb.length, next, samples);
        next += frames;
        return pcm;
    }
}
