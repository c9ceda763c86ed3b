package touchline.media.signal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import touchline.media.ffmpeg.Pcm;

/** Measures audio of one format in blocks of 100 ms. One thread. */
final class AudioMeter {
    /** -0.1 dBFS: a lossy codec moves clipped samples a little. */
    private static final float FULL_SCALE = 0.9886f;

    /** Share of the samples of a block at full scale. */
    private static final double CLIPPED_SHARE = 0.002;

    /** Far above what decoders return; also refuses NaN. */
    private static final float LIMIT = 1e4f;

    private final int sampleRateHz;
    private final int channels;
    private final int blockFrames;
    private final KWeighting.Channel[] filters;
    private final Consumer<AudioBlock> receiver;

    private float[] samples = new float[0];

    // The current block.
    private int filled;
    private final double[] peaks;
    private final double[] squares;
    private final double[] weighted;
    private final int[] atFullScale;

    AudioMeter(int sampleRateHz, int channels, Consumer<AudioBlock> receiver) {
        this.sampleRateHz = sampleRateHz;
        this.channels = channels;
        this.blockFrames = sampleRateHz / AudioBlock.PER_SECOND;
        this.receiver = receiver;
        KWeighting weighting = new KWeighting(sampleRateHz);
        filters = new KWeighting.Channel[channels];
        for (int channel = 0; channel < channels; channel++) {
            filters[channel] = weighting.new Channel();
        }
        peaks = new double[channels];
        squares = new double[channels];
        weighted = new double[channels];
        atFullScale = new int[channels];
    }

    boolean takes(Pcm pcm) {
        return pcm.sampleRateHz() == sampleRateHz && pcm.channels() == channels;
    }

    /** Adds samples of this format; passes each complete block on. */
    void add(Pcm pcm) {
        int frames = pcm.frames();
        int count = frames * channels;
        if (samples.length < count) {
            samples = new float[count];
        }
        MemorySegment.copy(pcm.samples(), ValueLayout.JAVA_FLOAT_UNALIGNED, 0, samples, 0, count);
        int from = 0;
        while (from < frames) {
            int taken = Math.min(frames - from, blockFrames - filled);
            for (int channel = 0; channel < channels; channel++) {
                measure(channel, from, taken);
            }
            from += taken;
            filled += taken;
            if (filled == blockFrames) {
                finish();
            }
        }
    }

    private void measure(int channel, int from, int frames) {
        int first = from * channels + channel;
        int end = first + frames * channels;
        float peak = 0;
        double sum = 0;
        int full = 0;
        for (int i = first; i < end; i += channels) {
            float magnitude = Math.abs(samples[i]);
            if (!(magnitude <= LIMIT)) {
                samples[i] = 0;
                magnitude = 0;
            }
            peak = Math.max(peak, magnitude);
            sum += (double) magnitude * magnitude;
            full += magnitude >= FULL_SCALE ? 1 : 0;
        }
        peaks[channel] = Math.max(peaks[channel], peak);
        squares[channel] += sum;
        atFullScale[channel] += full;
        weighted[channel] += filters[channel].sumOfSquares(samples, first, channels, frames);
    }

    private void finish() {
        double[] meanSquares = new double[channels];
        double energy = 0;
        boolean clipped = false;
        for (int channel = 0; channel < channels; channel++) {
            meanSquares[channel] = squares[channel] / blockFrames;
            energy += LoudnessMeter.weight(channel, channels) * weighted[channel] / blockFrames;
            clipped |= atFullScale[channel] >= CLIPPED_SHARE * blockFrames;
        }
        AudioBlock block = new AudioBlock(peaks.clone(), meanSquares, clipped, energy);
        for (int channel = 0; channel < channels; channel++) {
            peaks[channel] = 0;
            squares[channel] = 0;
            weighted[channel] = 0;
            atFullScale[channel] = 0;
        }
        filled = 0;
        receiver.accept(block);
    }
}
