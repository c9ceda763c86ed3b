package touchline.packager.record;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import touchline.media.Timescale;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.isobmff.BoxReader;
import touchline.packager.isobmff.BoxReader.Box;

/**
 * Makes a {@link Recording} from the files of a session's folder alone. Files that are not ours, or
 * hold no whole part, are left out. One thread.
 */
final class RecordingScan {
    private static final Pattern INIT_NAME = Pattern.compile("init(\\d{1,9})\\.mp4");
    private static final Pattern SEGMENT_NAME = Pattern.compile("s(\\d{1,18})-(\\d{1,9})\\.m4s");
    private static final long SECONDS_1904_TO_1970 = 2_082_844_800L;
    private static final int DURATION_PRESENT = 0x100;
    private static final int SIZE_PRESENT = 0x200;
    private static final int FLAGS_PRESENT = 0x400;
    private static final int OFFSET_PRESENT = 0x800;
    private static final int DATA_OFFSET_PRESENT = 0x1;
    private static final int FIRST_FLAGS_PRESENT = 0x4;

    private final Path folder;
    private final Map<Integer, Head> heads = new HashMap<>();

    /** What an init segment says: its leading track and when it was made. */
    private record Head(long trackId, Timescale timescale, Instant startedAt) {}

    RecordingScan(Path folder) {
        this.folder = folder;
    }

    Recording recording() throws IOException {
        TreeMap<Long, Matcher> segments = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                Matcher init = INIT_NAME.matcher(name);
                Matcher segment = SEGMENT_NAME.matcher(name);
                if (init.matches()) {
                    int number = Integer.parseInt(init.group(1));
                    head(file).ifPresent(head -> heads.put(number, head));
                } else if (segment.matches()) {
                    segments.put(Long.parseLong(segment.group(1)), segment);
                }
            }
        }
        List<Recording.Segment> found = new ArrayList<>();
        for (Matcher name : segments.values()) {
            segment(name).ifPresent(found::add);
        }
        return new Recording(inits(found), found, false);
    }

    private List<Recording.Init> inits(List<Recording.Segment> segments) {
        Map<Integer, Recording.Init> inits = new TreeMap<>();
        for (Recording.Segment segment : segments) {
            Head head = heads.get(segment.init());
            if (head != null) {
                inits.putIfAbsent(
                        segment.init(),
                        new Recording.Init(segment.init(), segment.startUs(), head.startedAt()));
            }
        }
        return List.copyOf(inits.values());
    }

    private static Optional<Head> head(Path file) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            Box moov = BoxReader.first(BoxReader.walk(map(file, arena)), "moov").orElse(null);
            if (moov == null) {
                return Optional.empty();
            }
            Instant startedAt = Instant.EPOCH;
            Optional<Head> leading = Optional.empty();
            for (Box box : moov.children()) {
                if (box.type().equals("mvhd")) {
                    startedAt = Instant.ofEpochSecond(box.u64(4) - SECONDS_1904_TO_1970);
                } else if (box.type().equals("trak") && leading.isEmpty()) {
                    // Pictures stand first where there are any.
                    leading = Optional.of(leading(box, startedAt));
                }
            }
            return leading;
        } catch (MalformedMediaException _) {
            // Torn by a crash: what needs it cannot be played, and is left out.
            return Optional.empty();
        }
    }

    private static Head leading(Box trak, Instant startedAt) {
        long id = need(trak, "tkhd").u32(12);
        long ticks = need(need(trak, "mdia"), "mdhd").u32(12);
        if (ticks <= 0 || ticks > Integer.MAX_VALUE) {
            throw new MalformedMediaException("mdhd timescale: " + ticks + " (expected: > 0)");
        }
        return new Head(id, new Timescale((int) ticks), startedAt);
    }

    private Optional<Recording.Segment> segment(Matcher name) throws IOException {
        int init = Integer.parseInt(name.group(2));
        Head head = heads.get(init);
        if (head == null) {
            return Optional.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            List<Box> boxes = BoxReader.walkWhole(map(folder.resolve(name.group()), arena));
            int parts = 0;
            long sizeBytes = 0;
            long startTicks = 0;
            long endTicks = 0;
            for (int i = 0; i + 1 < boxes.size(); i += 2) {
                Box moof = boxes.get(i);
                Box mdat = boxes.get(i + 1);
                if (!moof.type().equals("moof") || !mdat.type().equals("mdat")) {
                    break;
                }
                long[] range = range(moof, head.trackId());
                startTicks = parts == 0 ? range[0] : startTicks;
                endTicks = range[1];
                parts++;
                sizeBytes = mdat.offset() + mdat.sizeBytes();
            }
            if (parts == 0) {
                return Optional.empty();
            }
            long startUs = head.timescale().toUs(startTicks);
            long durationUs = head.timescale().toUs(endTicks) - startUs;
            long mediaSequence = Long.parseLong(name.group(1));
            return Optional.of(
                    new Recording.Segment(
                            mediaSequence, init, startUs, durationUs, parts, sizeBytes));
        } catch (MalformedMediaException _) {
            // A whole box with a torn inside: not written by us.
            return Optional.empty();
        }
    }

    /** Decode time of the leading track's first sample in a fragment, and where its last ends. */
    private static long[] range(Box moof, long trackId) {
        for (Box traf : moof.children()) {
            if (traf.type().equals("traf") && need(traf, "tfhd").u32(4) == trackId) {
                long start = need(traf, "tfdt").u64(4);
                return new long[] {start, start + durationTicks(need(traf, "trun"))};
            }
        }
        throw new MalformedMediaException("moof without track " + trackId);
    }

    private static long durationTicks(Box trun) {
        int flags = trun.flags();
        if ((flags & DURATION_PRESENT) == 0) {
            throw new MalformedMediaException("trun without durations");
        }
        int stride = 4;
        for (int field : new int[] {SIZE_PRESENT, FLAGS_PRESENT, OFFSET_PRESENT}) {
            stride += (flags & field) == 0 ? 0 : 4;
        }
        long at = 8;
        at += (flags & DATA_OFFSET_PRESENT) == 0 ? 0 : 4;
        at += (flags & FIRST_FLAGS_PRESENT) == 0 ? 0 : 4;
        long samples = trun.u32(4);
        long sum = 0;
        for (long i = 0; i < samples; i++) {
            sum += trun.u32(at + i * stride);
        }
        return sum;
    }

    private static Box need(Box parent, String type) {
        return parent.child(type)
                .orElseThrow(() -> new MalformedMediaException(parent.type() + " without " + type));
    }

    private static MemorySegment map(Path file, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        }
    }
}
