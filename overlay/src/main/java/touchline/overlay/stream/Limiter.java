package touchline.overlay.stream;

import java.util.Arrays;

/**
 * Look-ahead limiter: keeps a mix below full scale without distortion. Looks 5 ms ahead and
 * releases within 200 ms. One gain for all channels. Output is late by {@link #delay}. One thread.
 */
final class Limiter {
    /** Below full scale: AAC coding may overshoot. */
    static final float CEILING = 0.944f;

    private static final double LOOK_AHEAD_SECONDS = 0.005;
    private static final double RELEASE_SECONDS = 0.2;

    private final int channels;
    private final int delay;
    private final double release;

    // Rings of the last `delay` sample frames.
    private final float[] waiting;
    private final float[] requestedGains;
    private final double[] minimumGains;
    private double minimumGainSum;
    private double released = 1;
    private int place;

    // Sliding minimum of the requested gains, as a queue of increasing values.
    private final int[] candidates;
    private int head;
    private int size;

    Limiter(int rateHz, int channels) {
        this.channels = channels;
        delay = (int) Math.ceil(LOOK_AHEAD_SECONDS * rateHz);
        release = 1 - Math.exp(-1 / (RELEASE_SECONDS * rateHz));
        waiting = new float[delay * channels];
        requestedGains = new float[delay];
        minimumGains = new double[delay];
        candidates = new int[delay + 1];
        reset();
    }

    /** Delay of the output in sample frames. */
    int delay() {
        return delay;
    }

    /** Resets the state; the next {@link #delay} sample frames are silence. */
    void reset() {
        Arrays.fill(waiting, 0);
        Arrays.fill(requestedGains, 1);
        Arrays.fill(minimumGains, 1);
        minimumGainSum = delay;
        released = 1;
        place = 0;
        head = 0;
        size = 0;
    }

    /** Processes in place: input comes out {@link #delay} sample frames later. */
    void run(float[] samples, int frames) {
        for (int i = 0; i < frames; i++) {
            float peak = 0;
            for (int channel = 0; channel < channels; channel++) {
                peak = Math.max(peak, Math.abs(samples[i * channels + channel]));
            }
            float gain = gain(peak > CEILING ? CEILING / peak : 1);
            for (int channel = 0; channel < channels; channel++) {
                int at = place * channels + channel;
                float out = waiting[at] * gain;
                waiting[at] = samples[i * channels + channel];
                samples[i * channels + channel] = out;
            }
            place = place + 1 == delay ? 0 : place + 1;
        }
    }

    /**
     * Gain of the leaving sample frame: the mean of the minimum gains in the window, so it never
     * exceeds what a sample frame in it allows.
     */
    private float gain(float wanted) {
        double lowest = slidingMinimum(wanted);
        released = Math.min(lowest, released + (1 - released) * release);
        minimumGainSum += released - minimumGains[place];
        minimumGains[place] = released;
        return (float) Math.min(1, minimumGainSum / delay);
    }

    private float slidingMinimum(float wanted) {
        // The sample frame at this index leaves the window.
        if (size > 0 && candidates[head] == place) {
            head = head + 1 == candidates.length ? 0 : head + 1;
            size--;
        }
        requestedGains[place] = wanted;
        while (size > 0
                && requestedGains[candidates[(head + size - 1) % candidates.length]] >= wanted) {
            size--;
        }
        candidates[(head + size) % candidates.length] = place;
        size++;
        return requestedGains[candidates[head]];
    }
}
