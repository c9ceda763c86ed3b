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
import java.util.OptionalLong;
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

    private final Path folder;
    private final Map<Integer, Head> heads = new HashMap<>();

    /** Leading track and creation time of an init segment. */
    private record Head(long trackId, Timescale timescale, Instant startedAt) {}

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
        try {
            InitReader init = InitReader.read(file);
            // Frames stand first where there are any.
            return init.tracks().stream()
                    .findFirst()
                    .map(lead -> new Head(lead.id(), lead.timescale(), init.startedAt()));
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
        FileScan scan = new FileScan(Long.parseLong(name.group(1)), init, head, found);
        try (Arena arena = Arena.ofConfined()) {
            BoxReader.walkWhole(map(folder.resolve(name.group()), arena)).forEach(scan::accept);
        } catch (MalformedMediaException _) {
            // A whole box with torn content was not written by this server. Boxes before it count.
        }
        scan.end();
    }

    /** Takes the boxes of one file. */
    private static final class FileScan {
        private final long file;
        private final int init;
        private final Head head;
        private final List<Recording.Segment> found;
        private long mediaSequence = -1;
        private long offsetBytes;
        private long sizeBytes;
        private int parts;
        private long startTicks;
        private long endTicks;
        private long @Nullable [] range;

        FileScan(long file, int init, Head head, List<Recording.Segment> found) {
            this.file = file;
            this.init = init;
            this.head = head;
            this.found = found;
        }

        void accept(Box box) {
            OptionalLong mark = SegmentMark.read(box);
            if (mark.isPresent()) {
                end();
                mediaSequence = mark.getAsLong();
                offsetBytes = box.offset() + box.sizeBytes();
            } else if (box.type().equals("moof")) {
                range = range(box, head.trackId());
            } else if (box.type().equals("mdat") && range != null) {
                startTicks = parts == 0 ? range[0] : startTicks;
                endTicks = range[1];
                parts++;
                sizeBytes = box.offset() + box.sizeBytes() - offsetBytes;
                range = null;
            }
        }

        /** Ends the segment. */
        void end() {
            if (mediaSequence >= 0 && parts > 0) {
                long startUs = head.timescale().toUs(startTicks);
                long durationUs = head.timescale().toUs(endTicks) - startUs;
                found.add(
                        new Recording.Segment(
                                mediaSequence,
                                init,
                                new Recording.Place(file, offsetBytes, sizeBytes),
                                startUs,
                                durationUs,
                                parts));
            }
            mediaSequence = -1;
            parts = 0;
            range = null;
        }
    }

    /** Decode time of the leading track's first sample in a fragment, and where its last ends. */
    private static long[] range(Box moof, long trackId) {
        for (FragmentRun run : FragmentRun.of(moof)) {
            if (run.trackId() == trackId) {
                return new long[] {run.decodeTicks(), run.endTicks()};
            }
        }
        throw new MalformedMediaException("moof without track " + trackId);
    }

    private static MemorySegment map(Path file, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        }
    }
}
