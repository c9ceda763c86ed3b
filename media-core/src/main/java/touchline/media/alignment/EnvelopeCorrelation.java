package touchline.media.alignment;

import java.util.Optional;

/**
 * Finds the lag at which two envelopes are alike, by normalised cross-correlation of what varies in
 * them. One thread: the arrays are used again.
 *
 * <p>Both bands are correlated by one transform: the low band is the real part, the high band the
 * imaginary part. A mean over half a second is subtracted before, so onsets and endings count, not
 * the loudness. The lag is searched over all audio that both have. Then the newest 8 s decide about
 * its exact value and about the confidence.
 */
final class EnvelopeCorrelation {
    /** Distance from the expected lag that is searched: 7.5 s. */
    static final int MAX_LAG = 15 * Envelope.LEVELS_HZ / 2;

    /** What both must have at a lag: 8 s. */
    static final int MIN_OVERLAP = 8 * Envelope.LEVELS_HZ;

    private static final int MEAN_LEVELS = Envelope.LEVELS_HZ / 2;

    /** Levels beside the peak that belong to it: 50 ms. */
    private static final int PEAK = Envelope.LEVELS_HZ / 20;

    /** Levels around the peak within which the newest audio places it: 20 ms. */
    private static final int FINE = Envelope.LEVELS_HZ / 50;

    /** A peak that is higher than any other by this much has confidence 1. */
    private static final double SHARP = 0.4;

    /** With a smaller variance there is nothing to compare: silence, or a steady tone. */
    private static final double MIN_VARIANCE = 0.01;

    /** No shift. */
    private static final int NONE = Integer.MIN_VALUE;

    /**
     * @param lagLevels number of the second envelope's level less that of the first, for the same
     *     audio; not whole
     * @param confidence 0 to 1
     */
    record Match(double lagLevels, double confidence) {}

    /** What varies in an envelope. */
    private static final class Signal {
        private final double[] re;
        private final double[] im;

        /** Sums of squares before each place. */
        private final double[] energy;

        private long first;
        private int size;

        private Signal(int places) {
            this.re = new double[places];
            this.im = new double[places];
            this.energy = new double[places + 1];
        }

        private void fill(Envelope of) {
            first = of.first();
            size = of.size();
            double lowSum = 0;
            double highSum = 0;
            int half = MEAN_LEVELS / 2;
            int to = 0;
            int from = 0;
            for (int i = 0; i < size; i++) {
                for (; to < Math.min(size, i + half); to++) {
                    lowSum += of.low(first + to);
                    highSum += of.high(first + to);
                }
                for (; from < i - half; from++) {
                    lowSum -= of.low(first + from);
                    highSum -= of.high(first + from);
                }
                re[i] = of.low(first + i) - lowSum / (to - from);
                im[i] = of.high(first + i) - highSum / (to - from);
                energy[i + 1] = energy[i] + re[i] * re[i] + im[i] * im[i];
            }
            for (int i = size; i < re.length; i++) {
                re[i] = 0;
                im[i] = 0;
            }
        }

        private double energy(int from, int to) {
            return energy[to] - energy[from];
        }
    }

    private final Fft fft = new Fft(16_384);
    private final Signal first = new Signal(fft.size());
    private final Signal second = new Signal(fft.size());
    private final double[] re = new double[fft.size()];
    private final double[] im = new double[fft.size()];
    private final double[] secondRe = new double[fft.size()];
    private final double[] secondIm = new double[fft.size()];

    /**
     * Compares two envelopes.
     *
     * @param expectedLag in levels, of audio that arrives at the same time
     * @return empty while there is too little audio
     */
    Optional<Match> match(Envelope one, Envelope other, long expectedLag) {
        if (one.size() < MIN_OVERLAP || other.size() < MIN_OVERLAP) {
            return Optional.empty();
        }
        first.fill(one);
        second.fill(other);
        // Place i of the first envelope is compared with place i + shift of the second.
        long base = second.first - first.first;
        long least = Math.max(expectedLag - MAX_LAG - base, MIN_OVERLAP - first.size);
        long most = Math.min(expectedLag + MAX_LAG - base, second.size - MIN_OVERLAP);
        if (least > most) {
            return Optional.empty();
        }
        correlate();
        int best = peak((int) least, (int) most, NONE);
        int next = peak((int) least, (int) most, best);
        double sharpness = coefficient(best) - (next == NONE ? 0 : coefficient(next));
        return Optional.of(placed(base, best, Math.clamp(sharpness / SHARP, 0, 1)));
    }

    /** Correlation of all shifts, in the real parts. */
    private void correlate() {
        System.arraycopy(first.re, 0, re, 0, re.length);
        System.arraycopy(first.im, 0, im, 0, im.length);
        System.arraycopy(second.re, 0, secondRe, 0, re.length);
        System.arraycopy(second.im, 0, secondIm, 0, im.length);
        fft.forward(re, im);
        fft.forward(secondRe, secondIm);
        for (int i = 0; i < re.length; i++) {
            double x = re[i] * secondRe[i] + im[i] * secondIm[i];
            double y = re[i] * secondIm[i] - im[i] * secondRe[i];
            re[i] = x / re.length;
            im[i] = y / re.length;
        }
        fft.inverse(re, im);
    }

    /** The shift with the largest coefficient, not near another one. */
    private int peak(int least, int most, int notNear) {
        int best = NONE;
        double highest = Double.NEGATIVE_INFINITY;
        for (int shift = least; shift <= most; shift++) {
            if (notNear != NONE && Math.abs(shift - notNear) <= PEAK) {
                continue;
            }
            double height = coefficient(shift);
            if (height > highest) {
                highest = height;
                best = shift;
            }
        }
        return best;
    }

    /** -1 to 1; 0 where one of both does not vary. */
    private double coefficient(int shift) {
        int from = Math.max(0, -shift);
        int to = Math.min(first.size, second.size - shift);
        double sum = re[Math.floorMod(shift, re.length)];
        return normalised(sum, from, to, shift);
    }

    private double normalised(double sum, int from, int to, int shift) {
        double firstEnergy = first.energy(from, to);
        double secondEnergy = second.energy(from + shift, to + shift);
        double least = MIN_VARIANCE * 2 * (to - from);
        return firstEnergy < least || secondEnergy < least
                ? 0
                : sum / Math.sqrt(firstEnergy * secondEnergy);
    }

    /** The same for the newest audio only. */
    private double newest(int shift) {
        int to = Math.min(first.size, second.size - shift);
        int from = Math.max(to - MIN_OVERLAP, Math.max(0, -shift));
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += first.re[i] * second.re[i + shift] + first.im[i] * second.im[i + shift];
        }
        return normalised(sum, from, to, shift);
    }

    private Match placed(long base, int coarse, double sharpness) {
        double[] heights = new double[2 * FINE + 1];
        int best = 1;
        for (int i = 0; i < heights.length; i++) {
            heights[i] = newest(coarse + i - FINE);
            if (i > 0 && i < heights.length - 1 && heights[i] > heights[best]) {
                best = i;
            }
        }
        double before = heights[best - 1];
        double peak = heights[best];
        double after = heights[best + 1];
        double curve = before - 2 * peak + after;
        double part = curve < 0 ? Math.clamp((before - after) / (2 * curve), -0.5, 0.5) : 0;
        double lag = base + coarse + best - FINE + part;
        return new Match(lag, Math.clamp(Math.min(sharpness, 2 * peak), 0, 1));
    }
}
