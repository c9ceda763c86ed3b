package touchline.packager.isobmff;

import java.util.ArrayList;
import java.util.List;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.isobmff.BoxReader.Box;

/**
 * The samples of one track in a stored fragment, read where they lie: the other side of {@link
 * Fragment}. Durations and sizes are given per sample, as all writers of this server do.
 *
 * <p>Source: ISO/IEC 14496-12, 8.8.7, 8.8.8 and 8.8.12. Immutable view; valid as long as the bytes.
 */
public final class FragmentRun {
    private static final int DATA_OFFSET_PRESENT = 0x1;
    private static final int FIRST_FLAGS_PRESENT = 0x4;
    private static final int DURATION_PRESENT = 0x100;
    private static final int SIZE_PRESENT = 0x200;
    private static final int FLAGS_PRESENT = 0x400;
    private static final int OFFSET_PRESENT = 0x800;
    private static final long NON_SYNC = 0x1_0000;

    /** 396 years at 90 kHz. In microseconds it fits a long at every timescale that is read. */
    private static final long MAX_DECODE_TICKS = 1L << 50;

    private final long trackId;
    private final long decodeTicks;
    private final Box trun;
    private final int samples;
    private final int stride;
    private final int firstAt;
    private final int flagsAt;
    private final int offsetAt;

    private FragmentRun(Box traf) {
        this.trackId = traf.need("tfhd").u32(4);
        Box time = traf.need("tfdt");
        this.decodeTicks = time.version() == 0 ? time.u32(4) : time.u64(4);
        if (decodeTicks < 0 || decodeTicks > MAX_DECODE_TICKS) {
            throw new MalformedMediaException(
                    "tfdt baseMediaDecodeTime: %s (expected: <= %d)"
                            .formatted(Long.toUnsignedString(decodeTicks), MAX_DECODE_TICKS));
        }
        this.trun = traf.need("trun");
        int flags = trun.flags();
        int wanted = DATA_OFFSET_PRESENT | DURATION_PRESENT | SIZE_PRESENT;
        if ((flags & wanted) != wanted) {
            throw new MalformedMediaException(
                    "trun flags: 0x%x (expected: 0x%x among them)".formatted(flags, wanted));
        }
        boolean hasFlags = (flags & FLAGS_PRESENT) != 0;
        boolean hasOffset = (flags & OFFSET_PRESENT) != 0;
        this.flagsAt = hasFlags ? 8 : -1;
        this.offsetAt = hasOffset ? 8 + (hasFlags ? 4 : 0) : -1;
        this.stride = 8 + (hasFlags ? 4 : 0) + (hasOffset ? 4 : 0);
        this.firstAt = 12 + ((flags & FIRST_FLAGS_PRESENT) == 0 ? 0 : 4);
        long count = trun.u32(4);
        if (count * stride > trun.payload().byteSize() - firstAt) {
            throw new MalformedMediaException(
                    "trun: %d samples in %d bytes".formatted(count, trun.payload().byteSize()));
        }
        this.samples = (int) count;
    }

    /** The runs of a {@code moof}, in the order they stand in. */
    public static List<FragmentRun> of(Box moof) {
        List<FragmentRun> runs = new ArrayList<>(2);
        for (Box box : moof.children()) {
            if (box.type().equals("traf")) {
                runs.add(new FragmentRun(box));
            }
        }
        return runs;
    }

    public long trackId() {
        return trackId;
    }

    /** Decode time of the first sample, in the track's timescale. */
    public long decodeTicks() {
        return decodeTicks;
    }

    public int samples() {
        return samples;
    }

    /** Position of the first sample's first byte, from the start of the {@code moof}. */
    public int dataOffset() {
        return trun.i32(8);
    }

    public long durationTicks(int sample) {
        return trun.u32(at(sample));
    }

    public int sizeBytes(int sample) {
        return trun.i32(at(sample) + 4);
    }

    /** Without flags, as for audio, every sample is a sync sample. */
    public boolean isSync(int sample) {
        return flagsAt < 0 || (trun.u32(at(sample) + flagsAt) & NON_SYNC) == 0;
    }

    public int compositionOffsetTicks(int sample) {
        return offsetAt < 0 ? 0 : trun.i32(at(sample) + offsetAt);
    }

    /** Where the last sample ends. */
    public long endTicks() {
        long end = decodeTicks;
        for (int i = 0; i < samples; i++) {
            end += durationTicks(i);
        }
        return end;
    }

    private long at(int sample) {
        return firstAt + (long) sample * stride;
    }
}
