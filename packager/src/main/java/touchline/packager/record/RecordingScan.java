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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import touchline.media.Timescale;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.isobmff.BoxReader;
import touchline.packager.isobmff.BoxReader.Box;
import touchline.packager.isobmff.FragmentRun;
import touchline.packager.isobmff.InitReader;

/**
 * Rebuilds a {@link Recording} from the files of a session's folder. Skips other files, and files
 * without a whole part. One thread.
 */
final class RecordingScan {
    private static final Pattern INIT_NAME = Pattern.compile("init(\\d{1,9})\\.mp4");
    private static final Pattern SEGMENT_NAME = Pattern.compile("s(\\d{1,18})-(\\d{1,9})\\.m4s");

    /** A shorter sample is decoded ahead of its time and says nothing about frames. */
    private static final long MIN_FRAME_US = 2_000;

    private final Path folder;
    private final Map<Integer, Head> heads = new HashMap<>();

    /** Wall clock at the start of segments, by their numbers. */
    private final Map<Long, Instant> dates = new HashMap<>();

    /** When the last frame of the segment found last has been presented, in microseconds. */
    private long presentedUs;

    /** What a fragment's leading track holds, in microseconds. */
    private record Lead(long startUs, long endUs, long lastPtsUs, long shortestUs) {}

    /**
     * Content of an init segment.
     *
     * @param tracks their timescales by id, the leading one first
     */
    private record Head(Map<Long, Timescale> tracks, Instant startedAt) {}

    RecordingScan(Path folder) {
        this.folder = folder;
    }

    Recording recording() throws IOException {
        TreeMap<Long, Matcher> media = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                Matcher init = INIT_NAME.matcher(name);
                Matcher segment = SEGMENT_NAME.matcher(name);
                if (init.matches()) {
                    int number = Integer.parseInt(init.group(1));
                    head(file).ifPresent(head -> heads.put(number, head));
                } else if (segment.matches()) {
                    media.put(Long.parseLong(segment.group(1)), segment);
                }
            }
        }
        List<Recording.Segment> found = new ArrayList<>();
        for (Matcher name : media.values()) {
            segments(name, found);
        }
        List<Recording.Listed> listed = presentLast(found);
        return new Recording(inits(found), found, List.of(), listed, false);
    }

    /**
     * A recorder that died has not made the last sample last until the last frame was presented.
     */
    private List<Recording.Listed> presentLast(List<Recording.Segment> found) {
        if (found.isEmpty() || presentedUs <= endUs(found.getLast())) {
            return List.of();
        }
        Recording.Segment last = found.removeLast();
        found.add(
                new Recording.Segment(
                        last.mediaSequence(),
                        last.init(),
                        last.place(),
                        last.startUs(),
                        presentedUs - last.startUs(),
                        last.parts()));
        return List.of(new Recording.Listed(last.mediaSequence(), last.durationUs()));
    }

    private static long endUs(Recording.Segment segment) {
        return segment.startUs() + segment.durationUs();
    }

    private List<Recording.Init> inits(List<Recording.Segment> segments) {
        Map<Integer, Recording.Init> inits = new TreeMap<>();
        for (Recording.Segment segment : segments) {
            Head head = heads.get(segment.init());
            if (head != null) {
                inits.putIfAbsent(
                        segment.init(),
                        new Recording.Init(
                                segment.init(),
                                segment.startUs(),
                                dates.getOrDefault(segment.mediaSequence(), head.startedAt())));
            }
        }
        return List.copyOf(inits.values());
    }

    private static Optional<Head> head(Path file) throws IOException {
        try {
            InitReader init = InitReader.read(file);
            // Frames stand first where there are any.
            Map<Long, Timescale> tracks = new LinkedHashMap<>();
            init.tracks().forEach(track -> tracks.put(track.id(), track.timescale()));
            return tracks.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Head(tracks, init.startedAt()));
        } catch (MalformedMediaException _) {
            // Torn by a crash: segments that need it cannot be played and are skipped.
            return Optional.empty();
        }
    }

    private void segments(Matcher name, List<Recording.Segment> found) throws IOException {
        int init = Integer.parseInt(name.group(2));
        Head head = heads.get(init);
        if (head == null) {
            return;
        }
        FileScan scan = new FileScan(Long.parseLong(name.group(1)), init, head, found, dates);
        try (Arena arena = Arena.ofConfined()) {
            BoxReader.walkWhole(map(folder.resolve(name.group()), arena)).forEach(scan::accept);
        } catch (MalformedMediaException _) {
            // A whole box with torn content was not written by this server. Boxes before it count.
        }
        scan.end();
        presentedUs = scan.presentedUs;
    }

    /** Takes the boxes of one file. */
    private static final class FileScan {
        private final long file;
        private final int init;
        private final Head head;
        private final List<Recording.Segment> found;
        private final Map<Long, Instant> dates;
        private long mediaSequence = -1;
        private long offsetBytes;
        private long sizeBytes;
        private int parts;
        private long startUs;
        private long endUs;
        private long lastPtsUs;
        private long shortestUs;
        private long presentedUs;
        private @Nullable Lead lead;

        FileScan(
                long file,
                int init,
                Head head,
                List<Recording.Segment> found,
                Map<Long, Instant> dates) {
            this.file = file;
            this.init = init;
            this.head = head;
            this.found = found;
            this.dates = dates;
        }

        void accept(Box box) {
            Optional<SegmentMark> mark = SegmentMark.read(box);
            if (mark.isPresent()) {
                end();
                mediaSequence = mark.get().mediaSequence();
                mark.get().startedAt().ifPresent(at -> dates.put(mediaSequence, at));
                offsetBytes = box.offset() + box.sizeBytes();
            } else if (box.type().equals("moof")) {
                lead = lead(box, head);
            } else if (box.type().equals("mdat") && lead != null) {
                add(lead);
                sizeBytes = box.offset() + box.sizeBytes() - offsetBytes;
                lead = null;
            }
        }

        private void add(Lead whole) {
            if (parts == 0) {
                startUs = whole.startUs();
                lastPtsUs = whole.lastPtsUs();
                shortestUs = whole.shortestUs();
            }
            endUs = whole.endUs();
            lastPtsUs = Math.max(lastPtsUs, whole.lastPtsUs());
            shortestUs = Math.min(shortestUs, whole.shortestUs());
            parts++;
        }

        /** Ends the segment. */
        void end() {
            if (mediaSequence >= 0 && parts > 0) {
                found.add(
                        new Recording.Segment(
                                mediaSequence,
                                init,
                                new Recording.Place(file, offsetBytes, sizeBytes),
                                startUs,
                                endUs - startUs,
                                parts));
                // Where the end of a part was predicted, times are off by a little.
                long lateUs = lastPtsUs + shortestUs - endUs;
                presentedUs = lateUs > shortestUs / 2 ? endUs + lateUs : endUs;
            }
            mediaSequence = -1;
            parts = 0;
            lead = null;
        }
    }

    /** The leading track of a fragment, or audio where a fragment has no frames. */
    private static Lead lead(Box moof, Head head) {
        List<FragmentRun> runs = FragmentRun.of(moof);
        for (Map.Entry<Long, Timescale> track : head.tracks().entrySet()) {
            for (FragmentRun run : runs) {
                if (run.trackId() == track.getKey()) {
                    return lead(run, track.getValue());
                }
            }
        }
        throw new MalformedMediaException("moof without a known track");
    }

    private static Lead lead(FragmentRun run, Timescale timescale) {
        long decode = run.decodeTicks();
        long lastPts = decode;
        long shortest = Long.MAX_VALUE;
        for (int i = 0; i < run.samples(); i++) {
            long duration = run.durationTicks(i);
            lastPts = Math.max(lastPts, decode + run.compositionOffsetTicks(i));
            shortest =
                    timescale.toUs(duration) < MIN_FRAME_US
                            ? shortest
                            : Math.min(shortest, duration);
            decode += duration;
        }
        return new Lead(
                timescale.toUs(run.decodeTicks()),
                timescale.toUs(decode),
                timescale.toUs(lastPts),
                shortest == Long.MAX_VALUE ? 0 : timescale.toUs(shortest));
    }

    private static MemorySegment map(Path file, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        }
    }
}
