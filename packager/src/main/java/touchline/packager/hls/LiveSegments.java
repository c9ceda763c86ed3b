package touchline.packager.hls;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.packager.hls.PartSink.FinishedPart;

/**
 * The segments of a window, oldest first and without a gap, and their init segments: which are
 * listed, which are only kept, which lie in memory, and the bit rates measured. Owns one reference
 * to each block. Not thread-safe: guarded by its window's lock.
 */
final class LiveSegments {
    /** Shorter segments say little about a stream's bit rate. */
    private static final long MIN_MEASURED_US = 1_000_000;

    /** Newest sealed segments that stay in memory although they are stored. */
    static final int IN_MEMORY = 2;

    /** Minimum of listed segments, whatever their size. */
    private static final int MIN_SEGMENTS = 3;

    private final LiveWindow.Settings settings;
    private final long windowUs;
    private final long maxMemoryBytes; // of sealed media that could not be stored
    private final NavigableMap<Integer, MediaBlock> inits = new TreeMap<>();
    private final List<WindowSegment> kept = new ArrayList<>();
    private long nextMediaSequence;
    private long listedFrom;
    private boolean growing;
    private int newestInit = -1;
    private long peakBps;
    private long totalBytes;
    private long totalUs;
    private double frameRate;
    private @Nullable Timeline timeline;
    private OptionalLong zeroUs = OptionalLong.empty();
    private MediaPlaylist.Next next = MediaPlaylist.Next.PART;
    private Captions captions = Captions.NONE;
    private long version;

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
        zeroUs = zeroUs.isPresent() ? zeroUs : OptionalLong.of(firstPtsUs);
        inits.put(initNumber, bytes.retain());
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
     * @param framesPerSecond in the growing segment; 0 without video
     */
    void seal(double framesPerSecond) {
        version++;
        frameRate = framesPerSecond;
        if (!growing) {
            return;
        }
        growing = false;
        nextMediaSequence++;
        WindowSegment sealed = kept.getLast();
        sealed.seal();
        measure(sealed.segment());
        freeStored();
        slide();
        dropUnusedInits();
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

    /** Nothing follows. */
    void end() {
        next = MediaPlaylist.Next.END;
        version++;
    }

    /** The whole segment lies in a file, from an offset on. */
    void stored(long mediaSequence, Path file, long offsetBytes) {
        find(mediaSequence).ifPresent(entry -> entry.stored(file, offsetBytes));
        freeStored();
    }

    /** The playlist of the listed segments, and the growing one. */
    DvrPlaylist.Snapshot listed(MediaPlaylist.Head head) {
        return since(listedFrom, head);
    }

    /** The playlist of kept segments from a number on, and the growing one. */
    DvrPlaylist.Snapshot since(long mediaSequence, MediaPlaylist.Head head) {
        return new DvrPlaylist.Snapshot(
                new MediaPlaylist(head, since(mediaSequence), next), oldestKept(), version);
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
        MediaBlock block = inits.get(number);
        return block == null
                ? Optional.empty()
                : Optional.of(new MediaBody.Blocks(List.of(block.retain())));
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
        return number
                >= (growing
                        ? kept.getLast().lines().firstPart()
                        : firstPart(endsInDiscontinuity()));
    }

    /** Number of a new segment's first part; the session's first segment follows none. */
    private int firstPart(boolean behindDiscontinuity) {
        return behindDiscontinuity && newestInit >= 0
                ? LivePlayback.FIRST_PART_BEHIND_DISCONTINUITY
                : 0;
    }

    /** The newest kept segment that starts at a time or before it. */
    Optional<MediaSegment> startingBy(long mediaUs) {
        int low = 0;
        int high = kept.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (kept.get(middle).segment().startUs() <= mediaUs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? Optional.empty() : Optional.of(kept.get(low - 1).segment());
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
        return totalUs > 0;
    }

    /** Presentation time of the session's first frame (or audio); empty before and when cleared. */
    OptionalLong zeroUs() {
        return zeroUs;
    }

    /** Rises with every change of the playlists. */
    long version() {
        return version;
    }

    /** Empty before the first init segment. */
    Optional<MultivariantPlaylist> multivariant() {
        return timeline == null
                ? Optional.empty()
                : Optional.of(
                        new MultivariantPlaylist(
                                timeline.tracks().stream().map(Track::codec).toList(),
                                Math.max(peakBps, averageBps()),
                                averageBps(),
                                frameRate,
                                settings.composited(),
                                captions));
    }

    private long averageBps() {
        // In floating point: the product would exceed 2^63 after a terabyte.
        return totalUs == 0 ? 0 : (long) Math.ceil(totalBytes * 8e6 / totalUs);
    }

    /** Releases everything. */
    void clear() {
        kept.forEach(WindowSegment::freeMemory);
        kept.clear();
        inits.values().forEach(MediaBlock::release);
        inits.clear();
        zeroUs = OptionalLong.empty();
        if (growing) {
            // Its parts may have been listed: the number is used up.
            nextMediaSequence++;
            growing = false;
        }
    }

    private void measure(MediaSegment segment) {
        totalBytes += segment.sizeBytes();
        totalUs += segment.durationUs();
        if (segment.durationUs() >= MIN_MEASURED_US) {
            long bps = Math.ceilDiv(segment.sizeBytes() * 8 * 1_000_000, segment.durationUs());
            peakBps = Math.max(peakBps, bps);
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
            boolean isTooMuch = unstoredBytes() > maxMemoryBytes;
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

    private void dropUnusedInits() {
        int oldest = kept.isEmpty() ? 0 : kept.getFirst().segment().initNumber();
        Map<Integer, MediaBlock> unused = inits.headMap(oldest);
        unused.values().forEach(MediaBlock::release);
        unused.clear();
    }

    /** Frees the memory of stored segments, but for the newest ones. */
    private void freeStored() {
        long newestToFree = nextMediaSequence - 1 - IN_MEMORY;
        for (WindowSegment entry : kept) {
            if (entry.segment().mediaSequence() > newestToFree) {
                break;
            }
            if (entry.isStored() && entry.memoryBytes() > 0) {
                entry.freeMemory();
            }
        }
    }

    /** Bytes that lie in memory only. */
    private long unstoredBytes() {
        long sum = 0;
        for (WindowSegment entry : kept) {
            sum += entry.isStored() ? 0 : entry.memoryBytes();
        }
        return sum;
    }

    private Optional<WindowSegment> find(long mediaSequence) {
        long index = mediaSequence - oldestKept();
        return index < 0 || index >= kept.size()
                ? Optional.empty()
                : Optional.of(kept.get((int) index));
    }
}
