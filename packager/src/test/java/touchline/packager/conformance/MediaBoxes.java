package touchline.packager.conformance;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.isobmff.BoxReader;
import touchline.packager.isobmff.BoxReader.Box;

/**
 * Init segments and fragments as a player reads them (ISO/IEC 14496-12, 8.8). Stateless; whatever
 * is not as it should be throws {@link MalformedMediaException}.
 */
final class MediaBoxes {
    private static final int NON_SYNC = 0x1_0000;
    private static final int TFHD_DEFAULT_DURATION = 0x08;
    private static final int TFHD_DEFAULT_FLAGS = 0x20;
    private static final int TRUN_DATA_OFFSET = 0x001;
    private static final int TRUN_FIRST_FLAGS = 0x004;
    private static final int TRUN_DURATION = 0x100;
    private static final int TRUN_SIZE = 0x200;
    private static final int TRUN_FLAGS = 0x400;
    private static final int TRUN_OFFSET = 0x800;

    private MediaBoxes() {}

    /**
     * A track of an init segment.
     *
     * @param timescale ticks a second
     * @param defaultFlags of trex
     */
    record InitTrack(long id, long timescale, boolean isVideo, int defaultFlags) {}

    /** Tracks by id, in the order they stand. */
    static Map<Long, InitTrack> init(byte[] bytes) {
        List<Box> boxes = BoxReader.walk(MemorySegment.ofArray(bytes));
        if (boxes.size() != 2 || !boxes.getFirst().type().equals("ftyp")) {
            throw new MalformedMediaException("init segment is not ftyp and moov: " + boxes.size());
        }
        List<Box> moov = child(boxes, "moov").children();
        Map<Long, Integer> defaults = new LinkedHashMap<>();
        for (Box trex : all(child(moov, "mvex").children(), "trex")) {
            defaults.put(trex.u32(4), trex.i32(20));
        }
        Map<Long, InitTrack> tracks = new LinkedHashMap<>();
        for (Box trak : all(moov, "trak")) {
            List<Box> mdia = child(trak.children(), "mdia").children();
            Box tkhd = child(trak.children(), "tkhd");
            Box mdhd = child(mdia, "mdhd");
            long id = tkhd.u32(tkhd.version() == 1 ? 20 : 12);
            long timescale = mdhd.u32(mdhd.version() == 1 ? 20 : 12);
            boolean isVideo = child(mdia, "hdlr").fourCc(8).equals("vide");
            Integer flags = defaults.get(id);
            if (flags == null) {
                throw new MalformedMediaException("track without trex: " + id);
            }
            tracks.put(id, new InitTrack(id, timescale, isVideo, flags));
        }
        return tracks;
    }

    /** The runs of all fragments, in order; everything between boxes and truns must add up. */
    static List<TrackRun> runs(byte[] bytes, Map<Long, InitTrack> tracks) {
        List<Box> boxes = BoxReader.walk(MemorySegment.ofArray(bytes));
        if (boxes.isEmpty() || boxes.size() % 2 != 0) {
            throw new MalformedMediaException("not moof and mdat in turn: " + boxes.size());
        }
        List<TrackRun> runs = new ArrayList<>();
        for (int i = 0; i < boxes.size(); i += 2) {
            Box moof = boxes.get(i);
            Box mdat = boxes.get(i + 1);
            if (!moof.type().equals("moof") || !mdat.type().equals("mdat")) {
                throw new MalformedMediaException(moof.type() + ", " + mdat.type());
            }
            long dataOffset = moof.sizeBytes() + mdat.sizeBytes() - mdat.payload().byteSize();
            for (Box traf : all(moof.children(), "traf")) {
                dataOffset += traf(traf.children(), dataOffset, tracks, runs);
            }
            if (dataOffset != moof.sizeBytes() + mdat.sizeBytes()) {
                throw new MalformedMediaException("samples do not fill their mdat");
            }
        }
        return runs;
    }

    /** Adds a run and answers how many bytes of media it has. */
    private static long traf(
            List<Box> traf, long offset, Map<Long, InitTrack> tracks, List<TrackRun> runs) {
        Box tfhd = child(traf, "tfhd");
        InitTrack track = tracks.get(tfhd.u32(4));
        if (track == null) {
            throw new MalformedMediaException("track is not in the init segment: " + tfhd.u32(4));
        }
        if ((tfhd.flags() & (TFHD_DEFAULT_DURATION | TFHD_DEFAULT_FLAGS)) != 0) {
            throw new MalformedMediaException("tfhd defaults are not read here");
        }
        Box tfdt = child(traf, "tfdt");
        long decodeTime = tfdt.version() == 1 ? tfdt.u64(4) : tfdt.u32(4);
        Box trun = child(traf, "trun");
        int flags = trun.flags();
        int needed = TRUN_DATA_OFFSET | TRUN_DURATION | TRUN_SIZE;
        if ((flags & needed) != needed || (flags & TRUN_FIRST_FLAGS) != 0) {
            throw new MalformedMediaException("trun flags: " + Integer.toHexString(flags));
        }
        if (trun.i32(8) != offset) {
            throw new MalformedMediaException(
                    "data offset: %d (expected: %d)".formatted(trun.i32(8), offset));
        }
        boolean hasFlags = (flags & TRUN_FLAGS) != 0;
        int entryBytes = 8 + (hasFlags ? 4 : 0) + ((flags & TRUN_OFFSET) != 0 ? 4 : 0);
        long samples = trun.u32(4);
        long durationTicks = 0;
        long dataBytes = 0;
        for (long i = 0; i < samples; i++) {
            durationTicks += trun.u32(12 + i * entryBytes);
            dataBytes += trun.u32(16 + i * entryBytes);
        }
        int firstFlags = hasFlags ? trun.i32(20) : track.defaultFlags();
        runs.add(new TrackRun(track.id(), decodeTime, durationTicks, (firstFlags & NON_SYNC) == 0));
        return dataBytes;
    }

    private static Box child(List<Box> boxes, String type) {
        List<Box> found = all(boxes, type);
        if (found.size() != 1) {
            throw new MalformedMediaException(type + " boxes: " + found.size() + " (expected: 1)");
        }
        return found.getFirst();
    }

    private static List<Box> all(List<Box> boxes, String type) {
        return boxes.stream().filter(box -> box.type().equals(type)).toList();
    }
}
