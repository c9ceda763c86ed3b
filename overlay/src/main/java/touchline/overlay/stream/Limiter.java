package touchline.overlay.stream;

import java.util.Arrays;

/**
 * Keeps a mix below full scale without changing its colour: it looks five milliseconds ahead, so
 * that the gain is down when the peak comes, and lets go within a fifth of a second, so that nobody
 * hears it work. All channels alike. What comes out lags behind by {@link #delay}. One thread.
 */
final class Limiter {
    /** A little below full scale: what an AAC encoder makes of it may overshoot. */
    static final float CEILING = 0.944f;

    private static final double LOOK_AHEAD_SECONDS = 0.005;
    private static final double RELEASE_SECONDS = 0.2;

    private final int channels;
    private final int delay;
    private final double release;

    // Rings of the last `delay` sample frames.
    private final float[] waiting;
    private final float[] asked;
    private final double[] least;
    private double leastSum;
    private double released = 1;
    private int place;

    // The least of `asked`, by the usual queue of rising values.
    private final int[] candidates;
    private int head;
    private int size;

    Limiter(int rateHz, int channels) {
        this.channels = channels;
        delay = (int) Math.ceil(LOOK_AHEAD_SECONDS * rateHz);
        release = 1 - Math.exp(-1 / (RELEASE_SECONDS * rateHz));
        waiting = new float[delay * channels];
        asked = new float[delay];
        least = new double[delay];
        candidates = new int[delay + 1];
        reset();
    }

    /** Sample frames that what comes out is late. */
    int delay() {
        return delay;
    }

    /** As if nothing had gone through; the first {@link #delay} sample frames are silence. */
    void reset() {
        Arrays.fill(waiting, 0);
        Arrays.fill(asked, 1);
        Arrays.fill(least, 1);
        leastSum = delay;
        released = 1;
        place = 0;
        head = 0;
        size = 0;
    }

    /** In place: what goes in now comes out {@link #delay} sample frames later. */
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
     * Gain for the sample frame that leaves now: the mean of the least gains asked for within the
     * window, and so never more than any sample frame in it allows.
     */
    private float gain(float wanted) {
        double lowest = slidingLeast(wanted);
        released = Math.min(lowest, released + (1 - released) * release);
        leastSum += released - least[place];
        least[place] = released;
        return (float) Math.min(1, leastSum / delay);
    }

    private float slidingLeast(float wanted) {
        // The frame in this place leaves the window.
        if (size > 0 && candidates[head] == place) {
            head = head + 1 == candidates.length ? 0 : head + 1;
            size--;
        }
        asked[place] = wanted;
        while (size > 0 && asked[candidates[(head + size - 1) % candidates.length]] >= wanted) {
            size--;
        }
        candidates[(head + size) % candidates.length] = place;
        size++;
        return asked[candidates[head]];
    }
}
