package touchline.packager.record;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import touchline.media.codec.MalformedMediaException;

/**
 * Index of what one session has stored. Immutable, any thread.
 *
 * <p>A session's folder holds {@code init{n}.mp4}, {@code s{msn}-{n}.m4s} (segments one after the
 * other, named after the first one, and the init segment they are decoded with) and {@code index},
 * a text file to which a line is added when an init segment or a whole segment lies on the disk:
 *
 * <pre>
 * touchline-recording 2
 * init {number} {start in media microseconds} {wall clock at that time, ISO 8601}
 * listed {msn} {duration in microseconds}
 * segment {msn} {init} {file} {offset} {bytes} {start} {duration in microseconds} {parts}
 * date {msn} {wall clock at the segment's start, ISO 8601}
 * end
 * </pre>
 *
 * <p>In a file each segment stands behind a {@code free} box with its number ({@link SegmentMark});
 * offset and bytes are those of the segment alone.
 *
 * <p>A last line without its line feed was being written when the server died, and does not count.
 * The index can be made anew from the other files alone ({@link #rebuild}).
 *
 * @param inits in order; another one than the segment's before stands behind a discontinuity
 * @param segments in order
 * @param dates where the wall clock jumps without a discontinuity, as in a clip of several ranges;
 *     in order, none in what a session has recorded
 * @param listed where playlists of the session have another duration than the recording
 * @param ended the session came to its end
 */
public record Recording(
        List<Init> inits,
        List<Segment> segments,
        List<Date> dates,
        List<Listed> listed,
        boolean ended) {
    /** Name of the index in its folder. */
    public static final String INDEX = "index";

    static final String HEADER = "touchline-recording 2";
    static final String END = "end";
    private static final long MAX_INDEX_BYTES = 256L << 20;

    /**
     * A recorded file ends with the segment that passes this: large enough for few system calls
     * when an hour is downloaded, small enough for a clip that keeps whole files.
     */
    private static final long MAX_FILE_BYTES = 16L << 20;

    /** Bounds what is read to make the index of one file. */
    private static final int MAX_FILE_SEGMENTS = 256;

    public Recording {
        inits = List.copyOf(inits);
        segments = List.copyOf(segments);
        dates = List.copyOf(dates);
        listed = List.copyOf(listed);
    }

    /** Of one server, whose playlists list what it has recorded. */
    public Recording(List<Init> inits, List<Segment> segments, List<Date> dates, boolean ended) {
        this(inits, segments, dates, List.of(), ended);
    }

    /** Without jumps of the wall clock. */
    public Recording(List<Init> inits, List<Segment> segments, boolean ended) {
        this(inits, segments, List.of(), ended);
    }

    /**
     * @param number rises by one
     * @param startUs media time at which its timeline starts
     * @param startedAt wall clock at that time
     */
    public record Init(int number, long startUs, Instant startedAt) {
        public String fileName() {
            return fileName(number);
        }

        /** Of the init segment with this number. */
        public static String fileName(int number) {
            return "init" + number + ".mp4";
        }

        /** Wall clock at a media time. */
        public Instant wallClock(long mediaUs) {
            return startedAt.plus(mediaUs - startUs, ChronoUnit.MICROS);
        }

        String line() {
            return "init %d %d %s".formatted(number, startUs, startedAt);
        }
    }

    /**
     * Where a segment lies.
     *
     * @param file number of the first segment in the same file
     * @param offsetBytes of its first byte there
     * @param sizeBytes of its moof and mdat pairs; what stands behind the last segment of a file is
     *     a torn part
     */
    public record Place(long file, long offsetBytes, long sizeBytes) {}

    /**
     * @param mediaSequence its number in the live playlist
     * @param init number of number of its init segment
     * @param startUs decode time of its first unit, in media microseconds
     * @param durationUs of the leading track
     * @param parts how many moof and mdat pairs
     */
    public record Segment(
            long mediaSequence, int init, Place place, long startUs, long durationUs, int parts) {
        public String fileName() {
            return "s" + place.file() + "-" + init + ".m4s";
        }

        String line() {
            return "segment %d %d %d %d %d %d %d %d"
                    .formatted(
                            mediaSequence,
                            init,
                            place.file(),
                            place.offsetBytes(),
                            place.sizeBytes(),
                            startUs,
                            durationUs,
                            parts);
        }
    }

    /**
     * From a segment on, the wall clock is another one.
     *
     * @param mediaSequence the segment's number
     * @param at wall clock at its start
     */
    public record Date(long mediaSequence, Instant at) {
        String line() {
            return "date %d %s".formatted(mediaSequence, at);
        }
    }

    /**
     * A segment that was the last one of a server that died: its B-frames are presented for longer
     * than it is decoded. The recording has the former time, but playlists had the latter one by
     * then, and what they have listed does not change.
     *
     * @param mediaSequence the segment's number
     * @param durationUs in playlists of the session
     */
    public record Listed(long mediaSequence, long durationUs) {
        String line() {
            return "listed %d %d".formatted(mediaSequence, durationUs);
        }
    }

    /**
     * Wall clock at the start of each segment, in their order.
     *
     * @throws MalformedMediaException when a segment's init is missing
     */
    public List<Instant> wallClocks() {
        Map<Integer, Init> byNumber = new TreeMap<>();
        inits.forEach(init -> byNumber.put(init.number(), init));
        Map<Long, Instant> jumps = new TreeMap<>();
        dates.forEach(date -> jumps.put(date.mediaSequence(), date.at()));
        List<Instant> clocks = new ArrayList<>(segments.size());
        @Nullable Init from = null;
        for (Segment segment : segments) {
            if (from == null || from.number() != segment.init()) {
                from = byNumber.get(segment.init());
            }
            if (from == null) {
                throw new MalformedMediaException(
                        "segment of init " + segment.init() + ", which is missing");
            }
            Instant jump = jumps.get(segment.mediaSequence());
            if (jump != null) {
                from = new Init(segment.init(), segment.startUs(), jump);
            }
            clocks.add(from.wallClock(segment.startUs()));
        }
        return clocks;
    }

    /**
     * Whether a file of segments takes no further one. Each of another init segment has a file of
     * its own, so a shorter file may be complete too.
     *
     * @param fileBytes up to the end of its last segment
     * @param segments in it
     */
    static boolean isFull(long fileBytes, int segments) {
        return segments >= MAX_FILE_SEGMENTS || fileBytes >= MAX_FILE_BYTES;
    }

    /** Media that is stored, without the gaps between. */
    public long durationUs() {
        long sum = 0;
        for (Segment segment : segments) {
            sum += segment.durationUs();
        }
        return sum;
    }

    /**
     * Reads the index of a session's folder.
     *
     * @throws MalformedMediaException when a whole line is not what it should be
     */
    public static Recording load(Path folder) throws IOException {
        Path index = folder.resolve(INDEX);
        long size = Files.size(index);
        if (size > MAX_INDEX_BYTES) {
            throw new MalformedMediaException(
                    "index: " + size + " bytes (expected: <= " + MAX_INDEX_BYTES + ")");
        }
        Reader reader = new Reader(/* headed= */ false);
        String text = Files.readString(index, StandardCharsets.UTF_8);
        int whole = text.lastIndexOf('\n') + 1;
        try (BufferedReader lines =
                new BufferedReader(new StringReader(text.substring(0, whole)))) {
            String line;
            while ((line = lines.readLine()) != null) {
                reader.accept(line);
            }
        }
        return reader.recording();
    }

    /**
     * Makes the index from the stored fragments: reads every file, and leaves out a part that is
     * not whole. Dates are exact to the second only in what an earlier version has stored.
     */
    public static Recording rebuild(Path folder) throws IOException {
        return new RecordingScan(folder).recording();
    }

    /**
     * Finishes a recording that a crash has cut off: all whole parts count, dates are the index's
     * where it has them, and the index is saved as ended.
     */
    public static Recording recover(Path folder) throws IOException {
        Recording found = rebuild(folder);
        Map<Integer, Init> inits = new TreeMap<>();
        found.inits().forEach(init -> inits.put(init.number(), init));
        if (Files.exists(folder.resolve(INDEX))) {
            try {
                load(folder).inits().forEach(init -> inits.replace(init.number(), init));
            } catch (MalformedMediaException _) {
                // A damaged index counts as missing.
            }
        }
        Recording recovered =
                new Recording(List.copyOf(inits.values()), found.segments(), /* ended= */ true);
        recovered.save(folder);
        return recovered;
    }

    /** Writes the whole index in place of what is there, by temporary file and rename. */
    public void save(Path folder) throws IOException {
        StringBuilder text = new StringBuilder(64 + 64 * segments.size());
        text.append(HEADER).append('\n');
        inits.forEach(init -> text.append(init.line()).append('\n'));
        Map<Long, Listed> before = new HashMap<>();
        listed.forEach(each -> before.put(each.mediaSequence(), each));
        for (Segment segment : segments) {
            // Before its segment: S3 has the lines up to the last segment of a file.
            Listed its = before.get(segment.mediaSequence());
            if (its != null) {
                text.append(its.line()).append('\n');
            }
            text.append(segment.line()).append('\n');
        }
        dates.forEach(date -> text.append(date.line()).append('\n'));
        if (ended) {
            text.append(END).append('\n');
        }
        Path temporary = folder.resolve(INDEX + ".tmp");
        Files.writeString(
                temporary,
                text,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE,
                StandardOpenOption.SYNC);
        Files.move(
                temporary,
                folder.resolve(INDEX),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        FolderSync.force(folder);
    }

    /** Parses an index line by line. One thread. */
    static final class Reader {
        final List<Init> inits = new ArrayList<>();
        final List<Segment> segments = new ArrayList<>();
        private final List<Date> dates = new ArrayList<>();
        private final List<Listed> listed = new ArrayList<>();
        private boolean headed;
        private boolean ended;

        /**
         * @param headed false if the next line is the first one of an index
         */
        Reader(boolean headed) {
            this.headed = headed;
        }

        void accept(String line) {
            String[] words = line.split(" ", -1);
            try {
                if (!headed) {
                    headed = line.equals(HEADER);
                    require(headed, line);
                } else if (line.equals(END)) {
                    ended = true;
                } else if (line.startsWith("init ") && words.length == 4) {
                    inits.add(
                            new Init(
                                    Integer.parseInt(words[1]),
                                    Long.parseLong(words[2]),
                                    Instant.parse(words[3])));
                } else if (line.startsWith("date ") && words.length == 3) {
                    dates.add(new Date(Long.parseLong(words[1]), Instant.parse(words[2])));
                } else if (line.startsWith("listed ") && words.length == 3) {
                    listed.add(new Listed(Long.parseLong(words[1]), Long.parseLong(words[2])));
                } else {
                    require(line.startsWith("segment ") && words.length == 9, line);
                    segments.add(segment(words));
                }
            } catch (NumberFormatException | DateTimeException e) {
                throw new MalformedMediaException("index line: " + line, e);
            }
        }

        private static Segment segment(String[] words) {
            return new Segment(
                    Long.parseLong(words[1]),
                    Integer.parseInt(words[2]),
                    new Place(
                            Long.parseLong(words[3]),
                            Long.parseLong(words[4]),
                            Long.parseLong(words[5])),
                    Long.parseLong(words[6]),
                    Long.parseLong(words[7]),
                    Integer.parseInt(words[8]));
        }

        Recording recording() {
            return new Recording(inits, segments, dates, listed, ended);
        }

        private static void require(boolean good, String line) {
            if (!good) {
                throw new MalformedMediaException("index line: " + line);
            }
        }
    }
}
