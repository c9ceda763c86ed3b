package touchline.overlay;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * One row of overlay samples of one plane, prepared for blending: {@code (ground * keep + term) /
 * 255} for each sample, with {@code keep} = 255 - alpha, and {@code term} = alpha * sample.
 * Transparent runs are skipped and opaque runs are copied. Runs of one alpha are blended eight
 * samples at a time: four in each {@code long}, since products and sums fit 16 bits. Immutable, any
 * thread.
 */
final class BlendRow {
    /** An empty row. */
    static final BlendRow NONE = new BlendRow(0, new byte[0], new char[0], new byte[0], new int[0]);

    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    /** A shorter transparent gap is blended: the result is the same, with one run less. */
    private static final int MIN_GAP = 16;

    /** Minimum length of a copied run. */
    private static final int MIN_OPAQUE = 16;

    /** Minimum length of a run blended by eight. */
    private static final int MIN_EVEN = 16;

    static final int OPAQUE = 255;

    private static final ValueLayout.OfLong EIGHT =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final ValueLayout.OfInt FOUR =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Samples in 64 bits. */
    private static final int GROUP = 8;

    // Masks for four values of 16 bits.
    private static final long LOW_BYTES = 0x00FF_00FF_00FF_00FFL;
    private static final long ONES = 0x0001_0001_0001_0001L;
    private static final long ROUNDING = 127 * ONES;

    private static final int RUN_FIELDS = 3;
    private static final int BLENDED = 0;
    private static final int COPIED = 1;

    /** One alpha; each whole group of terms has the order of {@link #group}. */
    private static final int EVEN = 2;

    private final int start;
    private final byte[] samples;
    private final char[] terms;
    private final MemorySegment groupedTerms;
    private final byte[] keeps;

    /** First index, length and kind of each run. */
    private final int[] runs;

    private BlendRow(int start, byte[] samples, char[] terms, byte[] keeps, int[] runs) {
        this.start = start;
        this.samples = samples;
        this.terms = terms;
        this.groupedTerms = MemorySegment.ofArray(terms);
        this.keeps = keeps;
        this.runs = runs;
    }

    /**
     * A row of one alpha.
     *
     * @param start index of the first sample in the plane's row
     * @param samples owned by the row from now on
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
        group(terms, 0, terms.length);
        return new BlendRow(start, NONE.samples, terms, keeps, new int[] {0, samples.length, EVEN});
    }

    /**
     * Creates a row; copies the arrays.
     *
     * @param start position of index 0 in the plane's row
     * @param terms 0 to 65,025
     * @param keeps 0 to 255, as bytes
     * @param length number of valid entries
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
        byte[] samples = samples(ownTerms, runs);
        for (int run = 0; run < runs.length; run += RUN_FIELDS) {
            if (runs[run + 2] == EVEN) {
                group(ownTerms, runs[run], runs[run + 1]);
            }
        }
        return new BlendRow(start + from, samples, ownTerms, ownKeeps, runs);
    }

    /** Reorders each group of eight: even indices first. */
    private static void group(char[] terms, int from, int length) {
        for (int at = from; at + GROUP <= from + length; at += GROUP) {
            char second = terms[at + 1];
            char fourth = terms[at + 3];
            char sixth = terms[at + 5];
            terms[at + 1] = terms[at + 2];
            terms[at + 2] = terms[at + 4];
            terms[at + 3] = terms[at + 6];
            terms[at + 4] = second;
            terms[at + 5] = fourth;
            terms[at + 6] = sixth;
        }
    }

    boolean isEmpty() {
        return runs.length == 0;
    }

    /**
     * Blends into a row.
     *
     * @param plane background samples, written in place
     * @param offset offset of the row's first sample
     * @param scratch at least as long as the row; its content is lost
     */
    void blend(MemorySegment plane, long offset, byte[] scratch) {
        long at = offset + start;
        for (int run = 0; run < runs.length; run += RUN_FIELDS) {
            int from = runs[run];
            int length = runs[run + 1];
            switch (runs[run + 2]) {
                case COPIED -> MemorySegment.copy(samples, from, plane, BYTE, at + from, length);
                case EVEN -> {
                    int whole = length & -GROUP;
                    blendEven(plane, at + from, from, whole);
                    blend(plane, at + from + whole, from + whole, length - whole, scratch);
                }
                default -> blend(plane, at + from, from, length, scratch);
            }
        }
    }

    private void blend(MemorySegment plane, long at, int from, int length, byte[] scratch) {
        if (length > 0) {
            MemorySegment.copy(plane, BYTE, at, scratch, 0, length);
            blend(scratch, from, length);
            MemorySegment.copy(scratch, 0, plane, BYTE, at, length);
        }
    }

    private void blendEven(MemorySegment plane, long at, int from, int length) {
        if (length == 0) {
            return;
        }
        long keep = keeps[from] & 0xFF;
        for (int i = 0; i < length; i += GROUP) {
            long ground = plane.get(EIGHT, at + i);
            long term = (long) Character.BYTES * (from + i);
            long even = (ground & LOW_BYTES) * keep + groupedTerms.get(EIGHT, term) + ROUNDING;
            long odd =
                    ((ground >>> 8) & LOW_BYTES) * keep
                            + groupedTerms.get(EIGHT, term + Long.BYTES)
                            + ROUNDING;
            plane.set(EIGHT, at + i, div255(even) | (div255(odd) << 8));
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

    /** The same for four values of 16 bits. */
    private static long div255(long values) {
        return ((values + ONES + ((values >>> 8) & LOW_BYTES)) >>> 8) & LOW_BYTES;
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
            int kind = kind(keeps[at], end - at);
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

    private static int kind(byte keep, int length) {
        if (keep == 0 && length >= MIN_OPAQUE) {
            return COPIED;
        }
        return length >= MIN_EVEN ? EVEN : BLENDED;
    }

    /** End of a run of one alpha; transparent samples form separate runs. */
    private static int endOfRun(char[] terms, byte[] keeps, int from) {
        byte keep = keeps[from];
        int end = from + 1;
        if (isClear(terms, keeps, from)) {
            while (end < terms.length && isClear(terms, keeps, end)) {
                end++;
            }
        } else {
            while (end < terms.length && keeps[end] == keep && !isClear(terms, keeps, end)) {
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
                divide(terms, samples, runs[run], runs[run] + runs[run + 1]);
            }
        }
        return samples;
    }

    /** Divides four samples at a time, then the rest. */
    private static void divide(char[] terms, byte[] samples, int from, int to) {
        MemorySegment source = MemorySegment.ofArray(terms);
        MemorySegment target = MemorySegment.ofArray(samples);
        int at = from;
        for (; at + 4 <= to; at += 4) {
            long four = div255(source.get(EIGHT, (long) Character.BYTES * at) + ROUNDING);
            four = (four | (four >>> 8)) & 0x0000_FFFF_0000_FFFFL;
            target.set(FOUR, at, (int) (four | (four >>> 16)));
        }
        for (; at < to; at++) {
            samples[at] = (byte) div255(terms[at] + 127);
        }
    }
}
