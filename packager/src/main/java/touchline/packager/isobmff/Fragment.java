package touchline.packager.isobmff;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import touchline.media.AccessUnit;
import touchline.media.Track;

/**
 * One part: a {@code moof} and its {@code mdat}. Its size is known before a byte is written, so it
 * needs one block of exactly that size and one copy of the media.
 *
 * <pre>
 * moof
 *   mfhd
 *   traf (one per run)
 *     tfhd  default-base-is-moof
 *     tfdt  version 1: decode time of the first sample, in media time
 *     trun  version 1: per sample duration, size and, for frames, flags and signed offset;
 *           the offset for audio too, where a sample is decoded beside its unit's time
 * mdat     the runs one after the other
 * </pre>
 *
 * <p>Source: ISO/IEC 14496-12, 8.8; ISO/IEC 23000-19, 7.3.2. Immutable; borrows the units.
 */
public final class Fragment {
    private static final int DEFAULT_BASE_IS_MOOF = 0x02_0000;
    private static final int DATA_OFFSET_PRESENT = 0x00_0001;
    private static final int DURATION_PRESENT = 0x00_0100;
    private static final int SIZE_PRESENT = 0x00_0200;
    private static final int FLAGS_PRESENT = 0x00_0400;
    private static final int OFFSET_PRESENT = 0x00_0800;
    private static final int BOX_HEADER_BYTES = 8;

    private final List<Run> runs;
    private final BoxWriter moof;
    private final int mdatBytes;

    /**
     * A unit with its decode time and duration in the track.
     *
     * @param decodeTicks end of the sample before, in the track's timescale: the unit's decode
     *     time, or close to it if that end was predicted; the presentation time is always the
     *     unit's
     * @param durationTicks up to the next sample's decode time
     */
    public record Sample(AccessUnit unit, long decodeTicks, long durationTicks) {
        /** A sample that is decoded at its unit's own time. */
        public Sample(AccessUnit unit, long durationTicks) {
            this(unit, unit.dtsTicks(), durationTicks);
        }

        /** Decode time in microseconds. */
        public long startUs() {
            return unit.track().timescale().toUs(decodeTicks);
        }

        /** Where the next sample starts, in microseconds. */
        public long endUs() {
            return unit.track().timescale().toUs(decodeTicks + durationTicks);
        }

        long compositionTimeOffsetTicks() {
            return unit.ptsTicks() - decodeTicks;
        }
    }

    /**
     * The samples of one track, in decode order and without a gap.
     *
     * @param samples at least one
     * @param shiftTicks added to all their times
     */
    public record Run(Track track, List<Sample> samples, long shiftTicks) {
        public Run {
            samples = List.copyOf(samples);
            if (samples.isEmpty()) {
                throw new IllegalArgumentException("run without samples");
            }
        }

        /** Samples at their own times. */
        public Run(Track track, List<Sample> samples) {
            this(track, samples, /* shiftTicks= */ 0);
        }

        boolean hasOffsets() {
            for (Sample sample : samples) {
                if (sample.compositionTimeOffsetTicks() != 0) {
                    return true;
                }
            }
            return track.isVideo();
        }

        long dataBytes() {
            long sum = 0;
            for (Sample sample : samples) {
                sum += sample.unit().payload().byteSize();
            }
            return sum;
        }
    }

    /**
     * @param sequenceNumber of {@code mfhd}: rises from fragment to fragment; its low 32 bits count
     * @param runs at most one per track, at least one
     * @throws ArithmeticException when the fragment does not fit into 2 GiB
     */
    public Fragment(long sequenceNumber, List<Run> runs) {
        this.runs = List.copyOf(runs);
        long data = BOX_HEADER_BYTES;
        int samples = 0;
        for (Run run : this.runs) {
            data += run.dataBytes();
            samples += run.samples().size();
        }
        this.mdatBytes = Math.toIntExact(data);
        this.moof = new BoxWriter(256 + 16 * samples);
        int[] offsetPositions = new int[this.runs.size()];
        moof.box("moof", () -> moof(sequenceNumber, offsetPositions));
        patchOffsets(offsetPositions);
    }

    public int sizeBytes() {
        return Math.addExact(moof.sizeBytes(), mdatBytes);
    }

    /** Appends all {@link #sizeBytes} to a buffer with enough space. */
    public void writeTo(ByteBuffer target) {
        moof.copyTo(target);
        target.putInt(mdatBytes);
        target.put(new byte[] {'m', 'd', 'a', 't'});
        MemorySegment out = MemorySegment.ofBuffer(target);
        long at = 0;
        for (Run run : runs) {
            for (Sample sample : run.samples()) {
                MemorySegment payload = sample.unit().payload();
                MemorySegment.copy(payload, 0, out, at, payload.byteSize());
                at += payload.byteSize();
            }
        }
        target.position(Math.toIntExact(target.position() + at));
    }

    private void moof(long sequenceNumber, int[] offsetPositions) {
        moof.fullBox("mfhd", 0, 0, () -> moof.u32(sequenceNumber));
        for (int i = 0; i < runs.size(); i++) {
            Run run = runs.get(i);
            int index = i;
            moof.box("traf", () -> offsetPositions[index] = traf(run));
        }
    }

    private int traf(Run run) {
        moof.fullBox("tfhd", 0, DEFAULT_BASE_IS_MOOF, () -> moof.u32(run.track().id()));
        long decodeTime = run.samples().getFirst().decodeTicks() + run.shiftTicks();
        moof.fullBox("tfdt", 1, 0, () -> moof.u64(decodeTime));
        boolean video = run.track().isVideo();
        int flags = DATA_OFFSET_PRESENT | DURATION_PRESENT | SIZE_PRESENT;
        if (video) {
            flags |= FLAGS_PRESENT;
        }
        if (run.hasOffsets()) {
            flags |= OFFSET_PRESENT;
        }
        int present = flags;
        // size, type, version and flags, sample_count: data_offset follows.
        int offsetPosition = moof.sizeBytes() + 16;
        moof.fullBox("trun", 1, flags, () -> trun(run, present));
        return offsetPosition;
    }

    private void trun(Run run, int flags) {
        moof.u32(run.samples().size());
        moof.u32(0); // data_offset: patched when the moof's size is known
        for (Sample sample : run.samples()) {
            AccessUnit unit = sample.unit();
            moof.u32(sample.durationTicks());
            moof.u32(unit.payload().byteSize());
            if ((flags & FLAGS_PRESENT) != 0) {
                moof.u32(unit.idr() ? SampleFlags.SYNC : SampleFlags.DEPENDENT);
            }
            if ((flags & OFFSET_PRESENT) != 0) {
                moof.u32(sample.compositionTimeOffsetTicks());
            }
        }
    }

    private void patchOffsets(int[] offsetPositions) {
        long offset = moof.sizeBytes() + (long) BOX_HEADER_BYTES;
        for (int i = 0; i < offsetPositions.length; i++) {
            moof.patchU32(offsetPositions[i], Math.toIntExact(offset));
            offset += runs.get(i).dataBytes();
        }
    }
}
