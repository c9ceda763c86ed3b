package touchline.overlay;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * What lies over one row of samples of one plane, ready to be blended: {@code (ground * keep +
 * term) / 255} for each sample, with {@code keep} = 255 less the alpha, and {@code term} = alpha
 * times the sample. Runs that show nothing cost nothing, and opaque runs are copied. Immutable, any
 * thread.
 */
final class BlendRow {
    /** Nothing at all. */
    static final BlendRow NONE = new BlendRow(0, new byte[0], new char[0], new byte[0], new int[0]);

    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    /** A gap shorter than this is blended through: it changes nothing, and saves a run. */
    private static final int MIN_GAP = 16;

    /** Copying pays from here on. */
    private static final int MIN_OPAQUE = 16;

    static final int OPAQUE = 255;

    private static final int RUN_FIELDS = 3;
    private static final int BLENDED = 0;
    private static final int COPIED = 1;

    private final int start;
    private final byte[] samples;
    private final char[] terms;
    private final byte[] keeps;

    /** First index, length and kind of each run, one after the other. */
    private final int[] runs;

    private BlendRow(int start, byte[] samples, char[] terms, byte[] keeps, int[] runs) {
        this.start = start;
        this.samples = samples;
        this.terms = terms;
        this.keeps = keeps;
        this.runs = runs;
    }

    /**
     * Samples of one alpha all over.
     *
     * @param start place in the plane's row of the first sample
     * @param samples taken over, never written again
     * @param alpha 0 to 255
     */
    static BlendRow even(int start, byte[] samples, int alpha) {
        if (alpha == 0 || samples.length == 0) {
            return NONE;
        }
        if (alpha == OPAQUE) {
            return new BlendRow(
                    start, samples, NONE.terms, NONE.keeps, new int[] {0, samples.length, COPIED});
        }
        char[] terms = new char[samples.length];
        byte[] keeps = new byte[samples.length];
        for (int i = 0; i < samples.length; i++) {
            terms[i] = (char) ((samples[i] & 0xFF) * alpha);
        }
        Arrays.fill(keeps, (byte) (OPAQUE - alpha));
        return new BlendRow(
                start, NONE.samples, terms, keeps, new int[] {0, samples.length, BLENDED});
    }

    /**
     * Makes a row; the arrays are copied.
     *
     * @param start place in the plane's row of what stands at index 0
     * @param terms 0 to 65,025
     * @param keeps 0 to 255, as bytes
     * @param length how much of the arrays counts
     */
    static BlendRow of(int start, char[] terms, byte[] keeps, int length) {
        int from = 0;
        while (from < length && isClear(terms, keeps, from)) {
            from++;
        }
        int to = length;
        while (to > from && isClear(terms, keeps, to - 1)) {
            to--;
        }
        if (from == to) {
            return NONE;
        }
        char[] ownTerms = Arrays.copyOfRange(terms, from, to);
        byte[] ownKeeps = Arrays.copyOfRange(keeps, from, to);
        int[] runs = runs(ownTerms, ownKeeps);
        if (runs.length == RUN_FIELDS && runs[2] == COPIED) {
            return new BlendRow(
                    start + from, samples(ownTerms, runs), NONE.terms, NONE.keeps, runs);
        }
        return new BlendRow(start + from, samples(ownTerms, runs), ownTerms, ownKeeps, runs);
    }

    boolean isEmpty() {
        return runs.length == 0;
    }

    /**
     * Blends into a row.
     *
     * @param plane samples of the ground
     * @param offset of the row's first sample
     * @param scratch at least as long as the row; its content is lost
     */
    void blend(MemorySegment plane, long offset, byte[] scratch) {
        long at = offset + start;
        for (int run = 0; run < runs.length; run += RUN_FIELDS) {
            int from = runs[run];
            int length = runs[run + 1];
            if (runs[run + 2] == COPIED) {
                MemorySegment.copy(samples, from, plane, BYTE, at + from, length);
            } else {
                MemorySegment.copy(plane, BYTE, at + from, scratch, 0, length);
                blend(scratch, from, length);
                MemorySegment.copy(scratch, 0, plane, BYTE, at + from, length);
            }
        }
    }

    private void blend(byte[] ground, int from, int length) {
        for (int i = 0; i < length; i++) {
            int sum = (ground[i] & 0xFF) * (keeps[from + i] & 0xFF) + terms[from + i] + 127;
            ground[i] = (byte) div255(sum);
        }
    }

    /** Exact for 0 to 65,534. */
    static int div255(int value) {
        return (value + 1 + (value >> 8)) >> 8;
    }

    private static boolean isClear(char[] terms, byte[] keeps, int index) {
        return keeps[index] == (byte) 255 && terms[index] == 0;
    }

    private static int[] runs(char[] terms, byte[] keeps) {
        int[] runs = new int[RUN_FIELDS * 16];
        int used = 0;
        int at = 0;
        while (at < terms.length) {
            int end = endOfRun(terms, keeps, at);
            int kind = keeps[at] == 0 && end - at >= MIN_OPAQUE ? COPIED : BLENDED;
            boolean clear = isClear(terms, keeps, at) && end - at >= MIN_GAP;
            boolean joins =
                    kind == BLENDED
                            && used > 0
                            && runs[used - 1] == BLENDED
                            && runs[used - 3] + runs[used - 2] == at;
            if (!clear && joins) {
                runs[used - 2] += end - at;
            } else if (!clear) {
                if (used == runs.length) {
                    runs = Arrays.copyOf(runs, 2 * used);
                }
                runs[used] = at;
                runs[used + 1] = end - at;
                runs[used + 2] = kind;
                used += RUN_FIELDS;
            }
            at = end;
        }
        return Arrays.copyOf(runs, used);
    }

    /** Where samples of the same kind end: clear, opaque or neither. */
    private static int endOfRun(char[] terms, byte[] keeps, int from) {
        int end = from + 1;
        if (keeps[from] == 0) {
            while (end < terms.length && keeps[end] == 0) {
                end++;
            }
        } else if (isClear(terms, keeps, from)) {
            while (end < terms.length && isClear(terms, keeps, end)) {
                end++;
            }
        } else {
            while (end < terms.length && keeps[end] != 0 && !isClear(terms, keeps, end)) {
                end++;
            }
        }
        return end;
    }

    private static byte[] samples(char[] terms, int[] runs) {
        byte[] samples = NONE.samples;
        for (int run = 0; run < runs.length; run += RUN_FIELDS) {
            if (runs[run + 2] == COPIED) {
                samples = samples.length == 0 ? new byte[terms.length] : samples;
                for (int i = runs[run]; i < runs[run] + runs[run + 1]; i++) {
                    samples[i] = (byte) div255(terms[i] + 127);
                }
            }
        }
        return samples;
    }
}
