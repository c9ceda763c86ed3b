package touchline.packager.hls;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import touchline.packager.isobmff.BoxReader;
import touchline.packager.isobmff.BoxReader.Box;

/** Reads the samples of written parts back. */
final class Fragments {
    private static final int FLAGS_PRESENT = 0x400;
    private static final int OFFSET_PRESENT = 0x800;

    private Fragments() {}

    /** Times of a sample in ticks of its track. */
    record Read(long dts, long pts, long duration, long bytes) {}

    /**
     * @param run 0 for the leading track; empty where the part has none such
     */
    static List<Read> of(byte[] part, int run) {
        Box moof = BoxReader.walk(MemorySegment.ofArray(part)).getFirst();
        List<Box> trafs =
                moof.children().stream().filter(box -> box.type().equals("traf")).toList();
        List<Read> samples = new ArrayList<>();
        if (run >= trafs.size()) {
            return samples;
        }
        long dts = trafs.get(run).child("tfdt").orElseThrow().u64(4);
        Box trun = trafs.get(run).child("trun").orElseThrow();
        boolean hasFlags = (trun.flags() & FLAGS_PRESENT) != 0;
        boolean hasOffsets = (trun.flags() & OFFSET_PRESENT) != 0;
        int stride = 8 + (hasFlags ? 4 : 0) + (hasOffsets ? 4 : 0);
        for (long i = 0; i < trun.u32(4); i++) {
            long at = 12 + i * stride;
            long offset = hasOffsets ? trun.i32(at + stride - 4) : 0;
            long duration = trun.u32(at);
            samples.add(new Read(dts, dts + offset, duration, trun.u32(at + 4)));
            dts += duration;
        }
        return samples;
    }

    /** Track of a run; 0 where the part has none such. */
    static long trackId(byte[] part, int run) {
        List<Box> trafs =
                BoxReader.walk(MemorySegment.ofArray(part)).getFirst().children().stream()
                        .filter(box -> box.type().equals("traf"))
                        .toList();
        return run < trafs.size() ? trafs.get(run).child("tfhd").orElseThrow().u32(4) : 0;
    }

    /** Of all parts, in order. */
    static List<Read> all(CollectingSink sink, int run) {
        List<Read> samples = new ArrayList<>();
        sink.partBytes.forEach(part -> samples.addAll(of(part, run)));
        return samples;
    }
}
