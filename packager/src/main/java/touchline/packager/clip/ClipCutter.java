package touchline.packager.clip;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.isobmff.InitReader;
import touchline.packager.record.AssetClock;
import touchline.packager.record.Recording;

/**
 * Cuts a time range of a recording, which may still be growing, into a new recording, exact to the
 * frame at both ends. Whole segments are hard-linked, so the source may be deleted. Segments at the
 * edges are rewritten with the bytes of their frames. Only frames that depend on a frame outside
 * the range are encoded again. One thread, which blocks.
 */
public final class ClipCutter {
    private static final Logger log = LoggerFactory.getLogger(ClipCutter.class);

    /** Requests are in milliseconds, stored times in ticks. */
    static final long TOLERANCE_US = 500;

    private static final String SILENCE = "silence.tmp";

    private final GopReencoder encoder;
    private final int atOnce;

    /**
     * The range to cut, in asset time ({@link AssetClock}).
     *
     * @param startUs shown from here on, 0 or more
     * @param endUs nothing is shown from here on
     */
    public record Range(long startUs, long endUs) {
        public Range {
            if (startUs < 0 || endUs <= startUs) {
                throw new IllegalArgumentException(
                        "range: " + startUs + ".." + endUs + " (expected: 0 <= start < end)");
            }
        }
    }

    /**
     * A recording.
     *
     * @param recording what of it exists by now
     * @param folder its files
     */
    public record Source(Recording recording, Path folder) {}

    /** A range of a recording. */
    public record Part(Source source, Range range) {}

    /**
     * What was cut.
     *
     * @param exact both ends of each range are exact to the frame; otherwise one starts with the
     *     key frame before its start
     * @param places of the ranges, in their order
     */
    public record Cut(Recording recording, boolean exact, List<Place> places) {
        public Cut {
            places = List.copyOf(places);
        }
    }

    /**
     * Where a range stands in the clip.
     *
     * @param startUs in the clip
     * @param sourceUs asset time in its source of what is shown there
     * @param durationUs of the range
     */
    public record Place(long startUs, long sourceUs, long durationUs) {
        /** Clip time of a time in the source, inside the range. */
        public long clipUs(long us) {
            return startUs + Math.clamp(us - sourceUs, 0, Math.max(0, durationUs - 1));
        }
    }

    /** Called when a range begins, with its index. */
    @FunctionalInterface
    public interface Progress {
        void begin(int range);
    }

    /**
     * @param encoder for the frames at the edges
     */
    public ClipCutter(GopReencoder encoder) {
        this(encoder, 1);
    }

    /**
     * @param encoder for the frames at the edges; called by several threads at once
     * @param atOnce edges that are encoded at once: those of several ranges, or both of one
     */
    public ClipCutter(GopReencoder encoder, int atOnce) {
        this.encoder = encoder;
        this.atOnce = atOnce;
    }

    /**
     * Makes a clip.
     *
     * @param source what of the recording exists by now
     * @param sourceFolder its files
     * @param folder of the clip; made, and left behind half done where this throws
     * @throws EmptyRangeException when nothing is shown in the range
     * @throws MalformedMediaException when the recording is not what its index says
     */
    public Cut cut(Recording source, Path sourceFolder, Range range, Path folder)
            throws IOException, InterruptedException {
        return join(List.of(new Part(new Source(source, sourceFolder), range)), folder, _ -> {});
    }

    /**
     * Makes a clip of several ranges, in their order; otherwise as {@link #cut}. Ranges of one
     * codec configuration follow each other in one timeline, others behind a discontinuity. A range
     * without audio gets silence where another one has audio.
     *
     * @throws MixedMediaException when some ranges have video and others have none
     */
    public Cut join(List<Part> parts, Path folder, Progress progress)
            throws IOException, InterruptedException {
        // What was joined before is joined again: its wall clock jumps inside of a timeline.
        boolean joins =
                parts.size() > 1 || !parts.getFirst().source().recording().dates().isEmpty();
        List<List<AssetClock.Range>> pieces = new ArrayList<>();
        for (Part part : parts) {
            pieces.add(pieces(part));
        }
        Optional<Track> audio = parts.size() > 1 ? audio(parts, pieces) : Optional.empty();
        Files.createDirectories(folder);
        try (ClipWriter writer = new ClipWriter(folder);
                Silence silence = Silence.of(audio, folder);
                OrderedTasks<List<Piece>> tasks =
                        new OrderedTasks<>(parts.size() > 1 ? atOnce : 0)) {
            boolean together = parts.size() == 1 && atOnce > 1;
            RangeCutter.Clip clip = new RangeCutter.Clip(encoder, joins, silence.audio(), together);
            for (int i = 0; i < parts.size(); i++) {
                Part part = parts.get(i);
                List<AssetClock.Range> in = pieces.get(i);
                boolean followed = joins && i + 1 < parts.size();
                tasks.add(() -> prepared(part, in, clip, followed));
            }
            ClipTimeline timeline = new ClipTimeline(writer, joins);
            boolean exact = true;
            List<Place> places = new ArrayList<>();
            for (int i = 0; i < parts.size(); i++) {
                progress.begin(i);
                Joined joined = append(tasks.next(), timeline);
                exact &= joined.exact();
                places.add(joined.place());
            }
            return new Cut(writer.finish(), exact, places);
        }
    }

    /** A cutter with media time minus asset time. */
    private record Piece(RangeCutter cutter, long shiftUs) {}

    private record Joined(boolean exact, Place place) {}

    /** Closes what may not be there. */
    private record Silence(Optional<StoredSilence> audio) implements AutoCloseable {
        static Silence of(Optional<Track> like, Path folder)
                throws IOException, InterruptedException {
            return new Silence(
                    like.isPresent()
                            ? Optional.of(StoredSilence.open(like.get(), folder.resolve(SILENCE)))
                            : Optional.empty());
        }

        @Override
        public void close() throws IOException {
            if (audio.isPresent()) {
                audio.get().close();
            }
        }
    }

    /** Plans a range, and has its edges encoded; without the pieces that show nothing. */
    private static List<Piece> prepared(
            Part part, List<AssetClock.Range> pieces, RangeCutter.Clip clip, boolean followed)
            throws IOException, InterruptedException {
        AssetClock clock = AssetClock.of(part.source().recording(), part.source().folder());
        List<Piece> prepared = new ArrayList<>();
        for (AssetClock.Range segments : pieces) {
            RangeCutter cutter = new RangeCutter(part.source(), segments, clip);
            boolean isLast = segments.equals(pieces.getLast());
            // If no frame starts in all of the range, one frame is shown.
            boolean orShown = prepared.isEmpty() && isLast;
            boolean isFollowed = followed || (clip.joins() && !isLast);
            long shiftUs = clock.shiftUs(segments);
            try {
                cutter.prepare(times(part.range(), segments, shiftUs, orShown, isFollowed));
                prepared.add(new Piece(cutter, shiftUs));
            } catch (EmptyRangeException _) {
                log.debug("nothing is shown in {} of {}", part.range(), segments);
            }
        }
        if (prepared.isEmpty()) {
            throw new EmptyRangeException();
        }
        return prepared;
    }

    private static Joined append(List<Piece> pieces, ClipTimeline timeline)
            throws IOException, InterruptedException {
        long clipUs = timeline.writer().durationUs();
        boolean exact = true;
        OptionalLong firstUs = OptionalLong.empty();
        for (Piece piece : pieces) {
            RangeCutter.Appended appended = piece.cutter().append(timeline);
            exact &= appended.exact();
            if (firstUs.isEmpty()) {
                firstUs = OptionalLong.of(appended.firstUs() - piece.shiftUs());
            }
        }
        long durationUs = timeline.writer().durationUs() - clipUs;
        return new Joined(exact, new Place(clipUs, firstUs.orElseThrow(), durationUs));
    }

    /** What a range holds of each timeline, and between two jumps of the wall clock. */
    private static List<AssetClock.Range> pieces(Part part) {
        Recording recording = part.source().recording();
        Set<Long> jumps = new HashSet<>();
        recording.dates().forEach(date -> jumps.add(date.mediaSequence()));
        List<AssetClock.Range> pieces = new ArrayList<>();
        for (AssetClock.Range range : AssetClock.of(recording, part.source().folder()).ranges()) {
            int from = range.from();
            long startUs = range.startUs();
            long us = startUs;
            for (int i = from; i < range.to(); i++) {
                Recording.Segment segment = recording.segments().get(i);
                if (i > from && jumps.contains(segment.mediaSequence())) {
                    pieces.add(new AssetClock.Range(range.init(), from, i, startUs, us));
                    from = i;
                    startUs = us;
                }
                us += segment.durationUs();
            }
            pieces.add(
                    new AssetClock.Range(range.init(), from, range.to(), startUs, range.endUs()));
        }
        return pieces.stream()
                .filter(each -> each.endUs() > part.range().startUs())
                .filter(each -> each.startUs() < part.range().endUs())
                .toList();
    }

    /** The first audio of all ranges. */
    private static Optional<Track> audio(List<Part> parts, List<List<AssetClock.Range>> pieces)
            throws IOException {
        Optional<Track> audio = Optional.empty();
        Optional<Boolean> video = Optional.empty();
        for (int i = 0; i < parts.size(); i++) {
            for (AssetClock.Range piece : pieces.get(i)) {
                boolean hasVideo = false;
                Path folder = parts.get(i).source().folder();
                for (InitReader.TrackHead track : readInit(folder, piece.init()).tracks()) {
                    hasVideo |= track.video();
                    if (!track.video() && audio.isEmpty()) {
                        audio = Optional.of(track.track());
                    }
                }
                if (video.isPresent() && video.get() != hasVideo) {
                    throw new MixedMediaException(i);
                }
                video = Optional.of(hasVideo);
            }
        }
        return audio;
    }

    /** What of the requested range lies in a range of segments, in media time. */
    private static RangeCutter.Times times(
            Range range,
            AssetClock.Range segments,
            long shiftUs,
            boolean orShown,
            boolean followed) {
        long startUs = Math.max(range.startUs(), segments.startUs()) + shiftUs;
        long endUs = Math.min(range.endUs(), segments.endUs()) + shiftUs;
        return new RangeCutter.Times(
                startUs - TOLERANCE_US, endUs - TOLERANCE_US, orShown, followed);
    }

    static Timescale timescale(InitReader init, boolean video) {
        for (InitReader.TrackHead track : init.tracks()) {
            if (track.video() == video) {
                return track.timescale();
            }
        }
        throw new MalformedMediaException("init segment without the track of its samples");
    }

    static InitReader readInit(Path folder, int number) throws IOException {
        return InitReader.read(folder.resolve(Recording.Init.fileName(number)));
    }
}
