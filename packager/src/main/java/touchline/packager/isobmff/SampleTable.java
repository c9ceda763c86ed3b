package touchline.packager.isobmff;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import touchline.media.Timescale;

/**
 * The samples of one track of a {@link ProgressiveMovie}, gathered in decode order: how long each
 * lasts, how large it is, where it lies and how it is decoded. About 13 bytes a sample; one thread.
 *
 * <p>Every sample lasts until the next one: what stands between two timelines is given to the last
 * sample before it, so that all tracks of a movie keep their place beside each other.
 *
 * <p>Source: ISO/IEC 14496-12, 8.5 to 8.7.
 */
public final class SampleTable {
    private final boolean video;
    private final Timescale timescale;
    private final List<MemorySegment> entries = new ArrayList<>();
    private final IntList sizes = new IntList();
    private final IntList durations = new IntList();
    private final IntList offsets = new IntList();
    private final BitSet sync = new BitSet();
    private final IntList chunkSamples = new IntList();
    private final IntList chunkEntries = new IntList();
    private long[] chunkPositions = new long[64];
    private boolean hasOffsets;
    private boolean hasNegativeOffsets;
    private long firstDecodeTicks;
    private long lastDecodeTicks;
    private long presentationStartTicks = Long.MAX_VALUE;
    private long presentationEndTicks = Long.MIN_VALUE;

    /** Numbers in a row, without boxing. */
    private static final class IntList {
        private int[] values = new int[256];
        private int size;

        void add(int value) {
            if (size == values.length) {
                values = Arrays.copyOf(values, size * 2);
            }
            values[size++] = value;
        }

        int get(int index) {
            return values[index];
        }

        void set(int index, int value) {
            values[index] = value;
        }
    }

    /**
     * @param timescale of the track and of all times passed here
     */
    public SampleTable(boolean video, Timescale timescale) {
        this.video = video;
        this.timescale = timescale;
    }

    boolean video() {
        return video;
    }

    Timescale timescale() {
        return timescale;
    }

    /** A time of another timescale on this track's clock, to the nearest tick. */
    public long ticks(long ticks, Timescale from) {
        return rescale(ticks, from, timescale);
    }

    /** To the nearest tick; exact where one timescale is a multiple of the other. */
    static long rescale(long ticks, Timescale from, Timescale to) {
        if (from.equals(to)) {
            return ticks;
        }
        long whole = Math.floorDiv(ticks, from.ticksPerSecond());
        long rest = Math.floorMod(ticks, from.ticksPerSecond());
        long scaled =
                (rest * to.ticksPerSecond() + from.ticksPerSecond() / 2) / from.ticksPerSecond();
        return Math.addExact(Math.multiplyExact(whole, (long) to.ticksPerSecond()), scaled);
    }

    public int samples() {
        return sizes.size;
    }

    /**
     * A sample entry as it stands in {@code stsd}; the same one twice is one.
     *
     * @return its number, from 1
     */
    public int entry(MemorySegment sampleEntry) {
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).mismatch(sampleEntry) < 0) {
                return i + 1;
            }
        }
        entries.add(sampleEntry);
        return entries.size();
    }

    /**
     * What follows lies side by side.
     *
     * @param position of the first sample's first byte, from the start of the media
     * @param entry as {@link #entry} numbered it
     */
    public void chunk(long position, int entry) {
        if (chunkSamples.size == chunkPositions.length) {
            chunkPositions = Arrays.copyOf(chunkPositions, chunkSamples.size * 2);
        }
        chunkPositions[chunkSamples.size] = position;
        chunkSamples.add(0);
        chunkEntries.add(entry);
    }

    /**
     * The next sample of the chunk.
     *
     * @param decodeTicks its decode time; one that does not rise is moved behind the last sample,
     *     its presentation time stays
     * @param compositionOffsetTicks from there to its presentation
     * @param durationTicks of the last sample: what counts where none follows
     */
    public void sample(
            long decodeTicks,
            int compositionOffsetTicks,
            long durationTicks,
            int sizeBytes,
            boolean isSync) {
        int index = sizes.size;
        long decode = decodeTicks;
        if (index == 0) {
            firstDecodeTicks = decodeTicks;
        } else {
            decode = Math.max(decodeTicks, lastDecodeTicks + 1);
            durations.set(index - 1, Math.toIntExact(decode - lastDecodeTicks));
        }
        lastDecodeTicks = decode;
        long presentation = decodeTicks + compositionOffsetTicks;
        int offset = Math.toIntExact(presentation - decode);
        hasOffsets |= offset != 0;
        hasNegativeOffsets |= offset < 0;
        presentationStartTicks = Math.min(presentationStartTicks, presentation);
        presentationEndTicks = Math.max(presentationEndTicks, presentation + durationTicks);
        sizes.add(sizeBytes);
        durations.add(Math.toIntExact(Math.max(1, durationTicks)));
        offsets.add(offset);
        sync.set(index, isSync);
        chunkSamples.set(chunkSamples.size - 1, chunkSamples.get(chunkSamples.size - 1) + 1);
    }

    /** Decode time of the first sample: the track's zero. */
    long firstDecodeTicks() {
        return firstDecodeTicks;
    }

    /** Presentation time of the first sample. */
    long presentationStartTicks() {
        return presentationStartTicks;
    }

    /** When the last one ends. */
    long presentationEndTicks() {
        return presentationEndTicks;
    }

    /** Sum of all durations. */
    long durationTicks() {
        return sizes.size == 0
                ? 0
                : lastDecodeTicks - firstDecodeTicks + durations.get(sizes.size - 1);
    }

    /**
     * stbl.
     *
     * @param base what is added to the positions of chunks
     * @param wide positions need 64 bits
     */
    void write(BoxWriter out, long base, boolean wide) {
        out.fullBox(
                "stsd",
                0,
                0,
                () -> {
                    out.u32(entries.size());
                    entries.forEach(out::bytes);
                });
        runs(out, "stts", 0, durations);
        if (hasOffsets) {
            runs(out, "ctts", hasNegativeOffsets ? 1 : 0, offsets);
        }
        if (sync.cardinality() < sizes.size) {
            syncSamples(out);
        }
        chunks(out);
        out.fullBox(
                "stsz",
                0,
                0,
                () -> {
                    out.u32(0); // sizes differ
                    out.u32(sizes.size);
                    for (int i = 0; i < sizes.size; i++) {
                        out.u32(sizes.get(i));
                    }
                });
        positions(out, base, wide);
    }

    /** 8.6.1.2 and 8.6.1.3: how many samples in a row, and the value they share. */
    private static void runs(BoxWriter out, String type, int version, IntList values) {
        out.fullBox(
                type,
                version,
                0,
                () -> {
                    int countAt = out.sizeBytes();
                    out.u32(0);
                    int count = 0;
                    int from = 0;
                    for (int i = 1; i <= values.size; i++) {
                        if (i == values.size || values.get(i) != values.get(from)) {
                            out.u32(i - from);
                            out.u32(values.get(from));
                            count++;
                            from = i;
                        }
                    }
                    out.patchU32(countAt, count);
                });
    }

    /** 8.6.2. */
    private void syncSamples(BoxWriter out) {
        out.fullBox(
                "stss",
                0,
                0,
                () -> {
                    out.u32(sync.cardinality());
                    sync.stream().forEach(index -> out.u32(index + 1L));
                });
    }

    /** 8.7.4: where the number of samples in a chunk, or their entry, changes. */
    private void chunks(BoxWriter out) {
        out.fullBox(
                "stsc",
                0,
                0,
                () -> {
                    int countAt = out.sizeBytes();
                    out.u32(0);
                    int count = 0;
                    for (int i = 0; i < chunkSamples.size; i++) {
                        if (i == 0
                                || chunkSamples.get(i) != chunkSamples.get(i - 1)
                                || chunkEntries.get(i) != chunkEntries.get(i - 1)) {
                            out.u32(i + 1L);
                            out.u32(chunkSamples.get(i));
                            out.u32(chunkEntries.get(i));
                            count++;
                        }
                    }
                    out.patchU32(countAt, count);
                });
    }

    /** 8.7.5. */
    private void positions(BoxWriter out, long base, boolean wide) {
        out.fullBox(
                wide ? "co64" : "stco",
                0,
                0,
                () -> {
                    out.u32(chunkSamples.size);
                    for (int i = 0; i < chunkSamples.size; i++) {
                        if (wide) {
                            out.u64(base + chunkPositions[i]);
                        } else {
                            out.u32(base + chunkPositions[i]);
                        }
                    }
                });
    }
}
