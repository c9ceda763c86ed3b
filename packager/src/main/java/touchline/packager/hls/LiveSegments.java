package touchline.packager.hls;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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

    /** Minimum of listed segments, whatever their size. */
    private static final int MIN_SEGMENTS = 3;

    private final LiveWindow.Settings settings;
    private final long windowUs;
    private final long maxMemoryBytes; // of sealed media that could not be stored
    private final WindowInits inits = new WindowInits();
    private final List<WindowSegment> kept = new ArrayList<>();
    private long nextMediaSequence;
    private long listedFrom;
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
        this.windowUs = settings.window().toNanos() / 1_000;
        this.maxMemoryBytes = maxMemoryBytes;
        this.nextMediaSequence = settings.firstMediaSequence();
        this.listedFrom = settings.firstMediaSequence();
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
        kept.addAll(WindowSegment.of(stored));
        kept.forEach(each -> statistics.add(each.segment(), stored.frameRate()));
        if (!kept.isEmpty()) {
            MediaSegment newest = kept.getLast().segment();
            head = Optional.of(stored.head(settings));
            captions = stored.captions();
            listedFrom = stored.listedFrom();
            timeline = new Timeline(0, stays.tracks(), newest.startUs(), newest.programDateTime());
        }
    }

    /** What {@link #resume} needs; complete when all sealed segments lie in files. */
    StoredWindow toStore() {
        MediaPlaylist.Head same = head.orElse(null);
        return same == null || growing
                ? before.withoutSegments(newestInit + 1, version)
                : StoredWindow.of(
                        new StoredWindow.Times(
                                same.targetDurationS(),
                                same.partTargetUs(),
                                zero.us().orElse(0),
                                statistics.frameRate(),
                                captions,
                                same.skippedInits()),
                        newestInit + 1,
                        version,
                        listedFrom,
                        kept);
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
        kept.getLast().add(part);
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
        WindowSegment sealed = kept.getLast();
        sealed.seal();
        statistics.add(sealed.segment(), framesPerSecond);
        freeStored();
        slide();
        inits.dropBefore(kept.getFirst().segment().initNumber());
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
        find(mediaSequence).ifPresent(entry -> entry.stored(file, offsetBytes));
        freeStored();
    }

    /** See {@link LiveWindow#partStored}. */
    void partStored(long mediaSequence, int index, Path file, long offsetBytes) {
        if (!settings.profile().listsParts()) {
            find(mediaSequence).ifPresent(entry -> entry.freePart(index, file, offsetBytes));
        }
    }

    /** The playlist of the listed segments, and the growing one. */
    Optional<DvrPlaylist.Snapshot> listed() {
        return snapshot(listedFrom);
    }

    /** The playlist of kept segments from a number on, and the growing one. */
    Optional<DvrPlaylist.Snapshot> snapshot(long mediaSequence) {
        return head.map(
                same ->
                        new DvrPlaylist.Snapshot(
                                new MediaPlaylist(same, since(mediaSequence), next),
                                oldestKept(),
                                version));
    }

    private List<PlaylistSegment> since(long mediaSequence) {
        int from = Math.clamp(mediaSequence - oldestKept(), 0, kept.size());
        List<PlaylistSegment> segments = new ArrayList<>(kept.size() - from);
        for (WindowSegment entry : kept.subList(from, kept.size())) {
            segments.add(entry.lines());
        }
        return segments;
    }

    /** With a reference for the caller. */
    Optional<MediaBody> initSegment(int number) {
        return inits.body(number);
    }

    Optional<MediaBody> body(long mediaSequence) {
        return find(mediaSequence)
                .filter(entry -> entry.segment().sealed())
                .flatMap(WindowSegment::body);
    }

    /** Also of the growing segment. */
    Optional<MediaBody> soFar(long mediaSequence) {
        return find(mediaSequence).flatMap(WindowSegment::body);
    }

    /**
     * @param number in addresses
     */
    Optional<MediaBody> part(long mediaSequence, int number) {
        return find(mediaSequence).flatMap(entry -> entry.part(number));
    }

    /**
     * @param number in addresses
     */
    boolean hasPart(long mediaSequence, int number) {
        return find(mediaSequence).map(entry -> entry.hasPart(number)).orElse(false);
    }

    /** Number of parts of a segment; 0 if it is not kept. */
    int parts(long mediaSequence) {
        return find(mediaSequence).map(entry -> entry.segment().parts().size()).orElse(0);
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
        return number >= (growing ? kept.getLast().lines().firstPart() : firstPart(behind));
    }

    /** Number of a new segment's first part; the session's first segment follows none. */
    private int firstPart(boolean behindDiscontinuity) {
        return behindDiscontinuity && newestInit >= 0
                ? LivePlayback.FIRST_PART_BEHIND_DISCONTINUITY
                : 0;
    }

    /** The newest kept segment that starts at a time or before it. */
    Optional<MediaSegment> startingBy(long mediaUs) {
        return WindowSegment.startingBy(kept, mediaUs);
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
        return growing ? kept.getLast().segment().parts().size() : 0;
    }

    long oldestKept() {
        return kept.isEmpty() ? nextMediaSequence : kept.getFirst().segment().mediaSequence();
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
        kept.forEach(WindowSegment::freeMemory);
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

    /** Unlists segments that the window no longer needs; drops those unlisted a window ago. */
    private void slide() {
        List<PlaylistSegment> listed = since(listedFrom);
        long listedUs = 0;
        for (PlaylistSegment lines : listed) {
            listedUs += lines.segment().durationUs();
        }
        int left = listed.size();
        for (PlaylistSegment lines : listed) {
            MediaSegment oldest = lines.segment();
            boolean isSpare = listedUs - oldest.durationUs() >= windowUs;
            boolean isTooMuch = WindowSegment.unstoredBytes(kept) > maxMemoryBytes;
            if (left <= MIN_SEGMENTS || !(isSpare || isTooMuch)) {
                break;
            }
            listedUs -= oldest.durationUs();
            left--;
            listedFrom = oldest.mediaSequence() + 1;
            find(oldest.mediaSequence()).ifPresent(entry -> entry.unlist());
            dropUnlisted();
        }
    }

    private void dropUnlisted() {
        long keptUs = 0;
        int first = kept.size();
        while (first > 0) {
            WindowSegment entry = kept.get(first - 1);
            boolean listed = entry.segment().mediaSequence() >= listedFrom;
            boolean old = keptUs >= 2 * windowUs && !settings.recorded();
            if (!listed && (old || !entry.isStored())) {
                break;
            }
            keptUs += entry.segment().durationUs();
            first--;
        }
        List<WindowSegment> dropped = kept.subList(0, first);
        dropped.forEach(WindowSegment::freeMemory);
        dropped.clear();
    }

    private void freeStored() {
        int keptInMemory = settings.profile().listsParts() ? IN_MEMORY : 0;
        WindowSegment.freeStored(kept, nextMediaSequence - 1 - keptInMemory);
    }

    private Optional<WindowSegment> find(long mediaSequence) {
        long index = mediaSequence - oldestKept();
        return index < 0 || index >= kept.size()
                ? Optional.empty()
                : Optional.of(kept.get((int) index));
    }
}
