package touchline.packager.hls;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import touchline.media.Timeline;
import touchline.media.Track;

/**
 * What a window holds: segments, init segments and playlists, what has been measured, and whether
 * more follows. Not safe by itself: guarded by the lock of its window.
 */
final class LiveWindowContents {
    private final LiveWindow.Settings settings;
    private final LiveSegments shelf;
    private final Map<Integer, MediaBlock> inits = new HashMap<>();
    private final RenderedPlaylists renderings = new RenderedPlaylists();
    private @Nullable Timeline timeline;
    private SegmentStatistics measures = new SegmentStatistics(0, 0, 0);
    private MediaPlaylist.Next next = MediaPlaylist.Next.PART;
    private long version;
    private long shownVersion;
    private OptionalLong zeroUs = OptionalLong.empty();
    private boolean ended;
    private boolean closed;

    LiveWindowContents(LiveWindow.Settings settings, LiveSegments shelf) {
        this.settings = settings;
        this.shelf = shelf;
    }

    LiveSegments shelf() {
        return shelf;
    }

    RenderedPlaylists renderings() {
        return renderings;
    }

    /** Retains the bytes. */
    void begin(int initNumber, Timeline started, MediaBlock bytes) {
        if (!closed) {
            timeline = started;
            inits.put(initNumber, bytes.retain());
        }
    }

    /** Retains the bytes; false when the window is closed. */
    boolean add(
            PartSink.FinishedPart part,
            int initNumber,
            Instant programDateTime,
            boolean segmentIsDue) {
        if (closed) {
            return false;
        }
        shelf.add(part, initNumber, programDateTime);
        next = segmentIsDue ? MediaPlaylist.Next.SEGMENT : MediaPlaylist.Next.PART;
        if (settings.profile().listsParts()) {
            version++;
        }
        return true;
    }

    /** When the session's first frame is shown. */
    void zero(long mediaUs) {
        zeroUs = OptionalLong.of(mediaUs);
    }

    /** Empty before the first part, and when closed. */
    OptionalLong zeroUs() {
        return closed ? OptionalLong.empty() : zeroUs;
    }

    void seal(SegmentStatistics now) {
        measures = now;
        shelf.seal();
        dropUnusedInits();
        version++;
    }

    void end() {
        ended = true;
        next = MediaPlaylist.Next.END;
        version++;
    }

    /** Gives back everything; false where that has been done. */
    boolean close() {
        if (closed) {
            return false;
        }
        closed = true;
        shelf.clear();
        inits.values().forEach(MediaBlock::release);
        inits.clear();
        renderings.clear();
        return true;
    }

    /** Rises with every change of the playlists. */
    long version() {
        return version;
    }

    /** Takes over the references. */
    void show(RenderedPlaylist window, @Nullable RenderedPlaylist delta) {
        renderings.replace(window, delta);
        shownVersion = window.version();
        if (closed) {
            renderings.clear();
        }
    }

    /** The live window; empty before the first segment is there, and when closed. */
    Optional<DvrPlaylist.Snapshot> listed() {
        return snapshot(shelf.listed());
    }

    /** Kept segments from a number on; empty like {@link #listed}. */
    Optional<DvrPlaylist.Snapshot> since(long mediaSequence) {
        return snapshot(shelf.since(mediaSequence));
    }

    private Optional<DvrPlaylist.Snapshot> snapshot(List<PlaylistSegment> segments) {
        if (closed || measures.targetDurationS() == 0) {
            return Optional.empty();
        }
        MediaPlaylist.Head head =
                new MediaPlaylist.Head(
                        measures.targetDurationS(),
                        measures.partTargetUs(),
                        settings.profile().listsParts(),
                        settings.composited());
        return Optional.of(
                new DvrPlaylist.Snapshot(
                        new MediaPlaylist(head, segments, next), shelf.oldestKept(), version));
    }

    /** Who is told of the media playlist must find it. */
    Optional<MultivariantPlaylist> multivariant() {
        return ended || timeline == null || renderings.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new MultivariantPlaylist(
                                timeline.tracks().stream().map(Track::codec).toList(),
                                shelf.peakBps(),
                                shelf.averageBps(),
                                measures.frameRate(),
                                settings.composited()));
    }

    /** What has become of a request; a playlist is there when it is shown, not before. */
    BlockingRequests.RequestState fate(BlockingRequests.BlockingRequest request) {
        if (closed) {
            return BlockingRequests.RequestState.NEVER;
        }
        BlockingRequests.RequestState fate = shelf.fate(request);
        boolean hasPlaylists = measures.targetDurationS() > 0;
        boolean isBeingMade = !request.exact() && hasPlaylists && shownVersion < version;
        if (isBeingMade && (fate == BlockingRequests.RequestState.THERE || ended)) {
            return BlockingRequests.RequestState.OPEN;
        }
        return fate == BlockingRequests.RequestState.OPEN && ended
                ? BlockingRequests.RequestState.NEVER
                : fate;
    }

    /** Whether somebody asks for more than can be waited for. */
    boolean isTooFar(BlockingRequests.BlockingRequest request) {
        long known = measures.partTargetUs();
        long partTargetUs = known == 0 ? settings.profile().partTargetUs() : known;
        return shelf.isTooFar(request.mediaSequence(), request.part(), partTargetUs);
    }

    /**
     * The request that stands for all of its kind: whatever part behind a sealed segment's last is
     * asked for, the next segment's first is waited for (rfc8216bis-20, 6.2.5.2). A part that is
     * there but not listed yet stands for itself.
     */
    BlockingRequests.BlockingRequest normal(BlockingRequests.BlockingRequest request) {
        long next = shelf.nextMediaSequence();
        boolean mayStay =
                request.exact() || request.part().isEmpty() || request.mediaSequence() >= next;
        return mayStay || shelf.fate(request) == BlockingRequests.RequestState.THERE
                ? request
                : new BlockingRequests.BlockingRequest(next, OptionalInt.of(0), /* exact= */ false);
    }

    /** With a reference for the caller. */
    Optional<MediaBody> initSegment(int number) {
        MediaBlock block = inits.get(number);
        return block == null
                ? Optional.empty()
                : Optional.of(new MediaBody.Blocks(List.of(block.retain())));
    }

    private void dropUnusedInits() {
        int oldest = shelf.oldestInit();
        inits.entrySet()
                .removeIf(
                        entry -> {
                            boolean unused = entry.getKey() < oldest;
                            if (unused) {
                                entry.getValue().release();
                            }
                            return unused;
                        });
    }
}
