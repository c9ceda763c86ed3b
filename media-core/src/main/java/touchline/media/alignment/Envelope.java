package touchline.media.alignment;

import java.util.Arrays;
import touchline.media.ffmpeg.Pcm;

/**
 * Loudness of one publisher's audio over time: for every 2 ms the level of a low and of a high
 * band, in natural logarithms, by the publisher's clock. Keeps the newest {@value #KEPT_SECONDS}
 * seconds. One thread.
 *
 * <p>Publishers round timestamps to milliseconds, so samples are counted from one buffer to the
 * next, and follow the timestamps slowly. A jump of the timestamps empties the envelope.
 */
final class Envelope {
    /** Of the audio that is added: 8 kHz, one channel. */
    static final int RATE_HZ = 8_000;

    /** Levels per second. */
    static final int LEVELS_HZ = 500;

    static final int KEPT_SECONDS = 16;

    /** Quieter than -60 dBFS is silence. */
    static final double SILENCE = 1e-6;

    private static final int HOP = RATE_HZ / LEVELS_HZ;
    private static final int CAPACITY = KEPT_SECONDS * LEVELS_HZ;

    /** Timestamps this far from the counted samples are a jump. */
    private static final int JUMP_SAMPLES = RATE_HZ / 10;

    /** Share of the difference that is corrected with each buffer. */
    private static final double FOLLOW = 1.0 / 16;

    /** Crossover at 400 Hz: 1 - exp(-2 pi 400 / 8000). */
    private static final double LOW_PASS = 0.27;

    private final float[] low = new float[CAPACITY];
    private final float[] high = new float[CAPACITY];
    private boolean running;

    /** Time of the next sample, in samples. */
    private double nextSample;

    /** Number of the level being measured: {@code floor(samples / HOP)}. */
    private long level;

    /** First level kept. */
    private long firstLevel;

    private double filtered;
    private double lowSum;
    private double highSum;
    private int summed;

    /** Adds audio of {@link #RATE_HZ} with one channel. */
    void add(Pcm pcm) {
        double off = pcm.startFrame() - nextSample;
        if (!running || Math.abs(off) > JUMP_SAMPLES) {
            restart(pcm.startFrame());
        } else {
            nextSample += off * FOLLOW;
        }
        for (int i = 0; i < pcm.frames(); i++) {
            add(pcm.sample(i, 0));
        }
    }

    private void restart(long sample) {
        running = true;
        nextSample = sample;
        level = Math.floorDiv(sample, (long) HOP);
        firstLevel = level;
        filtered = 0;
        clearSums();
    }

    private void add(float sample) {
        long of = (long) Math.floor(nextSample / HOP);
        if (of > level) {
            endLevel(of);
        }
        filtered += LOW_PASS * (sample - filtered);
        double rest = sample - filtered;
        lowSum += filtered * filtered;
        highSum += rest * rest;
        summed++;
        nextSample++;
    }

    private void endLevel(long next) {
        int divisor = Math.max(1, summed);
        float lowLevel = (float) Math.log(lowSum / divisor + SILENCE);
        float highLevel = (float) Math.log(highSum / divisor + SILENCE);
        // A correction of the clock may skip a level.
        for (long each = level; each < next; each++) {
            int place = (int) Math.floorMod(each, (long) CAPACITY);
            low[place] = lowLevel;
            high[place] = highLevel;
        }
        level = next;
        firstLevel = Math.max(firstLevel, level - CAPACITY);
        clearSums();
    }

    private void clearSums() {
        lowSum = 0;
        highSum = 0;
        summed = 0;
    }

    void clear() {
        running = false;
        firstLevel = 0;
        level = 0;
        Arrays.fill(low, 0);
        Arrays.fill(high, 0);
    }

    /** Number of the first level kept; its time is the number divided by {@link #LEVELS_HZ}. */
    long first() {
        return firstLevel;
    }

    /** Number behind the newest level. */
    long end() {
        return level;
    }

    /** Number of levels. */
    int size() {
        return Math.toIntExact(level - firstLevel);
    }

    /** Level of the low band. */
    double low(long number) {
        return low[(int) Math.floorMod(number, (long) CAPACITY)];
    }

    /** Level of the high band. */
    double high(long number) {
        return high[(int) Math.floorMod(number, (long) CAPACITY)];
    }
}
