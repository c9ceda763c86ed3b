package touchline.packager.hls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import touchline.media.codec.MalformedMediaException;

/**
 * A live window at a planned stop of the server, from which the next start continues it. Names the
 * files of its segments; the init segments lie beside them. Immutable, any thread.
 *
 * <p>As a file it is text, and ends with a whole last line:
 *
 * <pre>
 * touchline-window 2
 * times {target in seconds} {part target} {zero} {frame rate} {1 with captions} {skipped inits}
 * next {init} {version} {first listed msn}
 * segment {msn} {init} {start} {wall clock, ISO 8601} {file} {offset} {first part} {parts}
 * end
 * </pre>
 *
 * Times are media microseconds. A part is {@code {duration}:{bytes}:{1 if independent}}.
 */
public final class StoredWindow {
    private static final String HEADER = "touchline-window 2";
    private static final String END = "end";

    /** Before the words of a segment's parts. */
    private static final int SEGMENT_WORDS = 8;

    private final Times times;
    private final int nextInit;
    private final long version;
    private final long listedFrom;
    private final List<Entry> entries;

    private final End end;

    /**
     * How it ends.
     *
     * @param newest segment, which may lie elsewhere; null where nothing is known of it
     * @param known of another server; null without one
     */
    private record End(@Nullable MediaSegment newest, @Nullable Known known) {
        End(@Nullable MediaSegment newest) {
            this(newest, /* known= */ null);
        }
    }

    /**
     * The newest segment that is known of another server.
     *
     * @param startUs media time of its start
     * @param startsAt date of the same, as in playlists
     * @param durationUs as in playlists
     * @param listedFrom number of the first segment in the live playlist there
     */
    public record Known(
            long mediaSequence, long startUs, Instant startsAt, long durationUs, long listedFrom) {}

    /**
     * The newest live playlist.
     *
     * @param version rises with each change
     * @param listedFrom number of its first segment
     */
    public record Newest(long version, long listedFrom) {}

    /**
     * What EXT-X-TARGETDURATION and PART-TARGET say, which is constant within a session; and how
     * EXT-X-DISCONTINUITY-SEQUENCE counts.
     *
     * @param durationS whole seconds
     * @param partUs a maximum, also where parts are not listed
     * @param skippedInits number of an init segment minus that of its discontinuity
     */
    public record Targets(int durationS, long partUs, int skippedInits) {
        static Targets of(MediaPlaylist.Head head) {
            return new Targets(
                    head.targetDurationS(),
                    head.partTargetUs(),
                    head.discontinuities().skippedInits());
        }
    }

    /**
     * What stays constant within a session.
     *
     * @param targetDurationS EXT-X-TARGETDURATION
     * @param partTargetUs PART-TARGET
     * @param zeroUs presentation time of the first frame
     * @param frameRate of the newest segment; 0 without video
     * @param captions as in the multivariant playlist
     * @param skippedInits see {@link Targets}
     */
    record Times(
            int targetDurationS,
            long partTargetUs,
            long zeroUs,
            double frameRate,
            Captions captions,
            int skippedInits) {
        private static final Times UNKNOWN = new Times(0, 0, 0, 0, Captions.NONE, 0);
    }

    /**
     * A sealed segment and where it lies.
     *
     * @param firstPart number of its first part in addresses
     */
    record Entry(MediaSegment segment, int firstPart, Path file, long offsetBytes) {}

    /**
     * @param nextInit number of the next init segment
     * @param version of the newest playlist
     * @param listedFrom number of the first listed segment
     * @param entries in order without a gap
     */
    StoredWindow(Times times, int nextInit, long version, long listedFrom, List<Entry> entries) {
        this(
                times,
                nextInit,
                version,
                listedFrom,
                entries,
                new End(entries.isEmpty() ? null : entries.getLast().segment()));
    }

    private StoredWindow(
            Times times,
            int nextInit,
            long version,
            long listedFrom,
            List<Entry> entries,
            End end) {
        this.times = times;
        this.nextInit = nextInit;
        this.version = version;
        this.listedFrom = listedFrom;
        this.entries = List.copyOf(entries);
        this.end = end;
    }

    /** The newest segments that lie in files without a gap; none if the newest does not. */
    static StoredWindow of(
            Times times, int nextInit, long version, long listedFrom, List<WindowSegment> kept) {
        List<Entry> entries = new ArrayList<>();
        for (WindowSegment segment : kept) {
            segment.toStore().ifPresentOrElse(entries::add, entries::clear);
        }
        long first = entries.isEmpty() ? 0 : entries.getFirst().segment().mediaSequence();
        return new StoredWindow(times, nextInit, version, Math.max(listedFrom, first), entries);
    }

    /** A window whose segments are lost: its numbers continue. */
    public static StoredWindow empty(int nextInit, long version) {
        return new StoredWindow(Times.UNKNOWN, nextInit, version, 0, List.of());
    }

    /**
     * A window whose segments lie at another server: its numbers, times and targets continue.
     *
     * @param zeroUs presentation time of the session's first frame
     * @param endUs media time at which the next segment starts
     * @param endsAt its wall clock
     */
    public static StoredWindow elsewhere(
            Targets targets, long zeroUs, long endUs, Instant endsAt, int nextInit, long version) {
        return new StoredWindow(
                new Times(
                        targets.durationS(),
                        targets.partUs(),
                        zeroUs,
                        /* frameRate= */ 0,
                        Captions.NONE,
                        targets.skippedInits()),
                nextInit,
                version,
                /* listedFrom= */ 0,
                List.of(),
                new End(
                        new MediaSegment(
                                0, nextInit - 1, endUs, endsAt, List.of(), /* sealed= */ true)));
    }

    /** The same of a server whose newest segment is known: numbers behind it are left out. */
    public StoredWindow behind(Known newestThere) {
        End known = new End(end.newest(), newestThere);
        long from = newestThere.listedFrom();
        return new StoredWindow(times, nextInit, version, from, entries, known);
    }

    /** What lies between the newest known segment and the first one here. */
    LeftOutNumbers leftOutBefore(long first) {
        Known known = end.known();
        return known == null || !isEmpty() ? LeftOutNumbers.NONE : new LeftOutNumbers(known, first);
    }

    /** The same without its segments, at a later time. */
    StoredWindow withoutSegments(int laterInit, long laterVersion) {
        return new StoredWindow(times, laterInit, laterVersion, 0, List.of(), end);
    }

    /** The same without its segments. */
    public StoredWindow withoutSegments() {
        return withoutSegments(nextInit, version);
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Number of the next init segment. */
    public int nextInit() {
        return nextInit;
    }

    /** Version of the newest playlist. */
    public long version() {
        return version;
    }

    /** Whether its segments are followed by this one. */
    public boolean continuesWith(long mediaSequence) {
        return !isEmpty() && entries.getLast().segment().mediaSequence() + 1 == mediaSequence;
    }

    /** Media time at which the newest segment ends; 0 where nothing is known of it. */
    public long endUs() {
        return newest().map(MediaSegment::endUs).orElse(0L);
    }

    /** The newest segment, also without its media; empty where nothing is known of it. */
    Optional<MediaSegment> newest() {
        return Optional.ofNullable(end.newest());
    }

    MediaPlaylist.Head head(LiveWindow.Settings settings) {
        return new MediaPlaylist.Head(
                times.targetDurationS(),
                times.partTargetUs(),
                settings.profile().listsParts(),
                settings.composited(),
                /* initSuffix= */ "",
                DiscontinuityNumbers.of(times.skippedInits()),
                settings.profile().leastPartHoldBackUs());
    }

    /** Empty where nothing is known of the session's media. */
    OptionalLong zeroUs() {
        return end.newest() == null ? OptionalLong.empty() : OptionalLong.of(times.zeroUs());
    }

    int skippedInits() {
        return times.skippedInits();
    }

    double frameRate() {
        return times.frameRate();
    }

    Captions captions() {
        return times.captions();
    }

    long listedFrom() {
        return listedFrom;
    }

    List<Entry> entries() {
        return entries;
    }

    /**
     * Blocks.
     *
     * @param base what the names of segments are relative to
     */
    public void write(Path file, Path base) throws IOException {
        StringBuilder text = new StringBuilder(256 + 256 * entries.size());
        text.append(HEADER)
                .append(
                        "\ntimes %d %d %d %s %d %d"
                                .formatted(
                                        times.targetDurationS(),
                                        times.partTargetUs(),
                                        times.zeroUs(),
                                        times.frameRate(),
                                        times.captions().equals(Captions.NONE) ? 0 : 1,
                                        times.skippedInits()))
                .append("\nnext %d %d %d\n".formatted(nextInit, version, listedFrom));
        entries.forEach(entry -> append(text, entry, base));
        Files.writeString(
                file,
                text.append(END).append('\n'),
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE,
                StandardOpenOption.SYNC);
    }

    private static void append(StringBuilder text, Entry entry, Path base) {
        MediaSegment segment = entry.segment();
        text.append(
                "segment %d %d %d %s %s %d %d"
                        .formatted(
                                segment.mediaSequence(),
                                segment.initNumber(),
                                segment.startUs(),
                                segment.programDateTime(),
                                base.relativize(entry.file()),
                                entry.offsetBytes(),
                                entry.firstPart()));
        for (MediaSegment.Part part : segment.parts()) {
            text.append(' ').append(part.durationUs()).append(':').append(part.sizeBytes());
            text.append(part.independent() ? ":1" : ":0");
        }
        text.append('\n');
    }

    /**
     * Blocks.
     *
     * @param base as of {@link #write}
     * @throws MalformedMediaException when it is not whole, or a segment is missing on the disk
     */
    public static StoredWindow read(Path file, Path base) throws IOException {
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        if (lines.size() < 4 || !lines.getFirst().equals(HEADER) || !lines.getLast().equals(END)) {
            throw new MalformedMediaException("stored window: not whole");
        }
        try {
            String[] times = words(lines.get(1), "times", 7);
            String[] next = words(lines.get(2), "next", 4);
            List<Entry> entries = new ArrayList<>(lines.size());
            for (String line : lines.subList(3, lines.size() - 1)) {
                entries.add(entry(line.split(" ", -1), base));
            }
            return new StoredWindow(
                    new Times(
                            Integer.parseInt(times[1]),
                            Long.parseLong(times[2]),
                            Long.parseLong(times[3]),
                            Double.parseDouble(times[4]),
                            times[5].equals("1") ? Captions.IN_VIDEO : Captions.NONE,
                            Integer.parseInt(times[6])),
                    Integer.parseInt(next[1]),
                    Long.parseLong(next[2]),
                    Long.parseLong(next[3]),
                    entries);
        } catch (NumberFormatException | DateTimeException | IndexOutOfBoundsException e) {
            throw new MalformedMediaException("stored window: " + e.getMessage(), e);
        }
    }

    private static String[] words(String line, String first, int count) {
        String[] words = line.split(" ", -1);
        if (words.length != count || !words[0].equals(first)) {
            throw new MalformedMediaException("stored window: " + line);
        }
        return words;
    }

    private static Entry entry(String[] words, Path base) throws IOException {
        List<MediaSegment.Part> parts = new ArrayList<>(words.length - SEGMENT_WORDS);
        for (int i = SEGMENT_WORDS; i < words.length; i++) {
            String[] part = words[i].split(":", -1);
            parts.add(
                    new MediaSegment.Part(
                            Long.parseLong(part[0]),
                            part[2].equals("1"),
                            Integer.parseInt(part[1])));
        }
        MediaSegment segment =
                new MediaSegment(
                        Long.parseLong(words[1]),
                        Integer.parseInt(words[2]),
                        Long.parseLong(words[3]),
                        Instant.parse(words[4]),
                        parts,
                        /* sealed= */ true);
        Path file = base.resolve(words[5]).normalize();
        long offsetBytes = Long.parseLong(words[6]);
        if (Files.size(file) < offsetBytes + segment.sizeBytes()) {
            throw new MalformedMediaException("stored window: " + file + " is too short");
        }
        return new Entry(segment, Integer.parseInt(words[7]), file, offsetBytes);
    }
}
