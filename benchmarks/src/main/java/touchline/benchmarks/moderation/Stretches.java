package touchline.benchmarks.moderation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Stretches of forbidden frames of one length at random places. Their key frames are clean.
 * Immutable.
 */
final class Stretches {
    /** Clean media between two stretches: at least, and at most. */
    private static final int LEAST_FRAMES = 120;

    private static final int MOST_FRAMES = 240;

    private final long[] starts;
    private final int length;
    private final int gop;
    private final long firstUs;

    /**
     * @param firstUs presentation time of the first frame, a key frame
     */
    Stretches(double seconds, int count, int gop, long firstUs) {
        this.length = (int) Math.round(seconds * SamplingCoverage.FRAMES_PER_SECOND);
        this.gop = gop;
        this.firstUs = firstUs;
        SplittableRandom random = new SplittableRandom(length * 100L + gop);
        starts = new long[count];
        long at = LEAST_FRAMES;
        for (int i = 0; i < count; i++) {
            starts[i] = at;
            at += length + random.nextInt(LEAST_FRAMES, MOST_FRAMES);
        }
    }

    /** Media in which all of them fit. */
    int seconds() {
        long end = starts[starts.length - 1] + length + LEAST_FRAMES;
        return (int) (end / SamplingCoverage.FRAMES_PER_SECOND) + 1;
    }

    boolean isForbidden(long ptsUs) {
        return stretch(SamplingCoverage.frame(ptsUs - firstUs)) >= 0;
    }

    /** Forbidden frames of one stretch, on average. */
    double frames() {
        long sum = 0;
        for (long start : starts) {
            for (long frame = start; frame < start + length; frame++) {
                sum += frame % gop == 0 ? 0 : 1;
            }
        }
        return (double) sum / starts.length;
    }

    /** Forbidden frames among those published, for each stretch. */
    List<Integer> count(Set<Long> publishedUs) {
        Integer[] counts = new Integer[starts.length];
        Arrays.fill(counts, 0);
        for (long ptsUs : publishedUs) {
            int stretch = stretch(SamplingCoverage.frame(ptsUs - firstUs));
            if (stretch >= 0) {
                counts[stretch]++;
            }
        }
        return new ArrayList<>(List.of(counts));
    }

    /** Index of the stretch that forbids a frame; -1 for none. */
    private int stretch(long frame) {
        if (frame % gop == 0) {
            return -1;
        }
        int found = Arrays.binarySearch(starts, frame);
        int index = found >= 0 ? found : -found - 2;
        return index >= 0 && frame < starts[index] + length ? index : -1;
    }
}
