package touchline.packager.hls;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import touchline.media.CodecConfig;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.packager.hls.PartSink.FinishedPart;

/**
 * The segments of a window, oldest first and without a gap, and their init segments: which are
 * listed, which are only kept, which lie in memory, and the bit rates measured. Owns one reference
 * to each block. Not thread-safe: guarded by its window's lock.
 */
final class LiveSegments {
    /** Newest sealed segments whose listed parts stay in memory although they are stored. */
    static final int IN_MEMORY = 2;

    /** Of a takeover, in the live window: three reserved numbers, and what was not stored yet. */
    private static final int MAX_GAPS = 6;

    private final LiveWindow.Settings settings;
    private final WindowInits inits = new WindowInits();
    private final KeptSegments kept;
    private long nextMediaSequence;
    private boolean growing;
    private boolean leftOpen;
    private boolean ended;
    private int newestInit = -1;
    private final SegmentStatistics statistics = new SegmentStatistics();

    /** Empty until the first segment is sealed, then constant. */
    private Optional<MediaPlaylist.Head> head = Optional.empty();

    private @Nullable Timeline timeline;
    private final SessionZero zero = new SessionZero();
    private MediaPlaylist.Next next = MediaPlaylist.Next.PART;
    private Captions captions = Captions.NONE;
    private long version;
    private StoredWindow before = StoredWindow.empty(0, 0);

    LiveSegments(LiveWindow.Settings settings, long maxMemoryBytes) {
        this.settings = settings;
        this.kept = new KeptSegments(settings, maxMemoryBytes);
        this.nextMediaSequence = settings.firstMediaSequence();
    }

    /** See {@link LiveWindow#begin}. */
    void begin(int initNumber, Timeline started, MediaBlock bytes, long firstPtsUs) {
        timeline = started;
        zero.begin(firstPtsUs);
        inits.add(initNumber, bytes);
    }

    /** Continues an earlier window; takes over the references of its inits. */
    void resume(StoredWindow stored, StoredInits stays) {
        before = stored;
        next = MediaPlaylist.Next.DISCONTINUITY;
        zero.resume(stored.zeroUs());
        newestInit = stored.nextInit() - 1;
        version = stored.version() + 1;
        inits.resume(stays.blocks());
        kept.resume(stored);
        kept.all().forEach(each -> statistics.add(each.segment(), stored.frameRate()));
        if (!kept.isEmpty()) {
            MediaSegment newest = kept.last().segment();
            head = Optional.of(stored.head(settings));
            captions = stored.captions();
            timeline = new Timeline(0, stays.tracks(), newest.startUs(), newest.programDateTime());
        }
    }

    /**
     * Earlier servers have stored what comes before; takes over the references of the inits.
     *
     * @param numbers of the discontinuities here
     * @param live they are listed in the live playlist too, if none is shown yet
     * @return the numbers of all discontinuities
     */
    DiscontinuityNumbers precededBy(
            EarlierSegments stored,
            Map<Integer, MediaBlock> blocks,
            DiscontinuityNumbers numbers,
            boolean live) {
        inits.resume(blocks);
        EarlierSegments earlier = stored.before(oldestKept());
        if (earlier.isEmpty()) {
            return numbers;
        }
        // The discontinuity that the former server began last may have no stored segment.
        int newest =
                before.isEmpty()
                        ? Math.min(
                                earlier.usedInits().getLast(),
                                before.nextInit() - numbers.skippedInits())
                        : kept.first().segment().initNumber() - numbers.skippedInits() - 1;
        MediaPlaylist.Head same = head.orElse(before.head(settings));
        boolean isListed = live && isListed(earlier);
        // With the segments before it, the discontinuity between is counted too.
        int skipped = isListed ? before.nextInit() - newest - 1 : numbers.skippedInits();
        DiscontinuityNumbers all = new DiscontinuityNumbers(skipped, earlier.usedInits(), newest);
        List<WindowSegment> segments = earlier.until(oldestKept());
        kept.precededBy(segments);
        if (isListed) {
            kept.listEarlier();
            for (WindowSegment each : segments) {
                if (!each.lines().isGap()) {
                    statistics.add(each.segment(), /* framesPerSecond= */ 0);
                }
            }
            head = Optional.of(same.with(all));
        } else {
            head = head.map(shown -> shown.with(all));
        }
        return all;
    }

    /** Not where a playlist without them is shown, or too much is lost. */
    private boolean isListed(EarlierSegments earlier) {
        long lost = oldestKept() - earlier.last().mediaSequence() - 1;
        return head.isEmpty()
                && before.isEmpty()
                && before.newest().isPresent()
                && lost <= MAX_GAPS;
    }

    /** What {@link #resume} needs; complete when all sealed segments lie in files. */
    StoredWindow toStore() {
        MediaPlaylist.Head same = head.orElse(null);
        boolean isFirst = before.isEmpty() && nextMediaSequence == settings.firstMediaSequence();
        return same == null || growing || isFirst
                ? before.withoutSegments(newestInit + 1, version)
                : StoredWindow.of(
                        new StoredWindow.Times(
                                same.targetDurationS(),
                                same.partTargetUs(),
                                zero.us().orElse(0),
                                statistics.frameRate(),
                                captions,
                                same.discontinuities().skippedInits()),
                        newestInit + 1,
                        version,
                        kept.listedFrom(),
                        kept.all());
    }

    /** Versions start here: those of another window with the same address are smaller. */
    void startVersions(long first) {
        version = first;
    }

    Optional<CodecConfig> videoConfig() {
        return Optional.ofNullable(timeline).flatMap(Timeline::video).map(Track::codec);
    }

    /** What all playlists share; empty before the first segment is sealed. */
    Optional<MediaPlaylist.Head> head() {
        return head;
    }

    /** A part of the growing segment, which the first part starts; its bytes are retained here. */
    void add(FinishedPart part, int initNumber, Instant programDateTime, boolean segmentIsDue) {
        if (!growing) {
            growing = true;
            kept.add(
                    new WindowSegment(
                            new MediaSegment(
                                    part.mediaSequence(),
                                    initNumber,
                                    part.startUs(),
                                    programDateTime,
                                    List.of(),
                                    /* sealed= */ false),
                            firstPart(initNumber != newestInit)));
            newestInit = initNumber;
        }
        kept.last().add(part);
        next = segmentIsDue ? MediaPlaylist.Next.SEGMENT : MediaPlaylist.Next.PART;
        if (settings.profile().listsParts()) {
            version++;
        }
    }

    /**
     * @param same what all playlists share; constant
     * @param framesPerSecond in the growing segment; 0 without video
     */
    void seal(MediaPlaylist.Head same, double framesPerSecond) {
        head = Optional.of(same);
        version++;
        if (!growing) {
            return;
        }
        growing = false;
        nextMediaSequence++;
        WindowSegment sealed = kept.last();
        sealed.seal();
        statistics.add(sealed.segment(), framesPerSecond);
        freeStored();
        kept.slide();
        inits.dropBefore(kept.first().segment().initNumber());
    }

    /** The next part follows a discontinuity. False if that was known. */
    boolean discontinuity() {
        boolean isNew = !endsInDiscontinuity();
        next = MediaPlaylist.Next.DISCONTINUITY;
        version += isNew ? 1 : 0;
        return isNew;
    }

    private boolean endsInDiscontinuity() {
        return next == MediaPlaylist.Next.DISCONTINUITY;
    }

    /** The video carries closed captions. */
    void captionsSeen() {
        captions = Captions.IN_VIDEO;
    }

    /** The session goes on after the end of this process. */
    void leaveOpen() {
        leftOpen = true;
    }

    boolean isEnded() {
        return ended;
    }

    /** Nothing follows, unless the window is left open. */
    void end() {
        ended = true;
        next = leftOpen ? next : MediaPlaylist.Next.END;
        version++;
    }

    /** The whole segment lies in a file, from an offset on. */
    void stored(long mediaSequence, Path file, long offsetBytes) {
        kept.find(mediaSequence).ifPresent(entry -> entry.stored(file, offsetBytes));
        freeStored();
    }

    /** See {@link LiveWindow#partStored}. */
    void partStored(long mediaSequence, int index, Path file, long offsetBytes) {
        if (!settings.profile().listsParts()) {
            kept.find(mediaSequence).ifPresent(entry -> entry.freePart(index, file, offsetBytes));
        }
    }

    /** The playlist of the listed segments, and the growing one. */
    Optional<DvrPlaylist.Snapshot> listed() {
        return snapshot(kept.listedFrom());
    }

    /** The playlist of kept segments from a number on, and the growing one. */
    Optional<DvrPlaylist.Snapshot> snapshot(long mediaSequence) {
        return head.map(
                same ->
                        new DvrPlaylist.Snapshot(
                                new MediaPlaylist(same, kept.since(mediaSequence), next),
                                oldestKept(),
                                version));
    }

    /** With a reference for the caller. */
    Optional<MediaBody> initSegment(int number) {
        return inits.body(number);
    }

    Optional<MediaBody> body(long mediaSequence) {
        return kept.find(mediaSequence)
                .filter(entry -> entry.segment().sealed())
                .flatMap(WindowSegment::body);
    }

    /** Also of the growing segment. */
    Optional<MediaBody> soFar(long mediaSequence) {
        return kept.find(mediaSequence).flatMap(WindowSegment::body);
    }

    /**
     * @param number in addresses
     */
    Optional<MediaBody> part(long mediaSequence, int number) {
        return kept.find(mediaSequence).flatMap(entry -> entry.part(number));
    }

    /**
     * @param number in addresses
     */
    boolean hasPart(long mediaSequence, int number) {
        return kept.find(mediaSequence).map(entry -> entry.hasPart(number)).orElse(false);
    }

    /** Number of parts of a segment; 0 if it is not kept. */
    int parts(long mediaSequence) {
        return kept.find(mediaSequence).map(entry -> entry.segment().parts().size()).orElse(0);
    }

    /**
     * Whether a part that is not there may come: a sealed segment gets no more.
     *
     * @param number in addresses
     */
    boolean mayCome(long mediaSequence, int number) {
        if (mediaSequence != nextMediaSequence) {
            return mediaSequence > nextMediaSequence;
        }
        boolean behind = endsInDiscontinuity();
        return number >= (growing ? kept.last().lines().firstPart() : firstPart(behind));
    }

    /** Number of a new segment's first part; the session's first segment follows none. */
    private int firstPart(boolean behindDiscontinuity) {
        return behindDiscontinuity && newestInit >= 0
                ? LivePlayback.FIRST_PART_BEHIND_DISCONTINUITY
                : 0;
    }

    /** The newest kept segment that starts at a time or before it. */
    Optional<MediaSegment> startingBy(long mediaUs) {
        return kept.startingBy(mediaUs);
    }

    /** Number of the growing segment, or of the next one. */
    long nextMediaSequence() {
        return nextMediaSequence;
    }

    /** The newest segment that has a part. */
    long newest() {
        return growing ? nextMediaSequence : nextMediaSequence - 1;
    }

    int growingParts() {
        return growing ? kept.last().segment().parts().size() : 0;
    }

    long oldestKept() {
        return kept.isEmpty() ? nextMediaSequence : kept.first().segment().mediaSequence();
    }

    /** Whether a segment has been sealed. */
    boolean hasSealed() {
        return statistics.hasSegments();
    }

    /** From where positions count; empty before the first frame and when cleared. */
    SessionZero zero() {
        return zero;
    }

    /** Rises with every change of the playlists. */
    long version() {
        return version;
    }

    StoredWindow.Newest newestPlaylist() {
        return new StoredWindow.Newest(version, kept.listedFrom());
    }

    /** Empty before the first init segment, and after an end that leaves nothing open. */
    Optional<MultivariantPlaylist> multivariant() {
        return timeline == null || (ended && !leftOpen)
                ? Optional.empty()
                : Optional.of(
                        statistics.multivariant(
                                timeline.tracks().stream().map(Track::codec).toList(),
                                settings.composited(),
                                captions));
    }

    /** Releases everything. */
    void clear() {
        kept.clear();
        inits.clear();
        zero.clear();
        head = Optional.empty();
        if (growing) {
            // Its parts may have been listed: the number is used up.
            nextMediaSequence++;
            growing = false;
        }
    }

    private void freeStored() {
        int keptInMemory = settings.profile().listsParts() ? IN_MEMORY : 0;
        kept.freeStored(nextMediaSequence - 1 - keptInMemory);
    }
}
