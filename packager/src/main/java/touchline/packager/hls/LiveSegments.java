package touchline.packager.hls;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import touchline.packager.hls.PartSink.FinishedPart;

/**
 * The segments of a window, oldest first and without a gap: which are listed, which are only kept,
 * what lies in memory, and the bit rates measured. Not safe by itself: guarded by the lock of its
 * window.
 */
final class LiveSegments {
    /** Shorter segments say little of a stream's bit rate. */
    private static final long MIN_MEASURED_US = 1_000_000;

    private static final long US_PER_SECOND = 1_000_000;
    private static final int MAX_SEGMENTS_AHEAD = 2;

    /** The Advance Part Limit in time. */
    private static final long ADVANCE_US = 3 * US_PER_SECOND;

    private final Limits limits;
    private final List<LiveSegment> kept = new ArrayList<>();
    private long nextMediaSequence;
    private long listedFrom;
    private boolean growing;
    private long peakBps;
    private long totalBytes;
    private long totalUs;

    /**
     * @param windowUs media that stays listed
     * @param keepAll what is stored is kept for ever
     * @param memoryBytes sealed media that may stay in memory because it is stored nowhere
     * @param minSegments that stay listed whatever their size
     * @param minInMemory newest sealed segments that stay in memory although they are stored
     * @param listsParts low-latency HLS
     */
    record Limits(
            long windowUs,
            boolean keepAll,
            long memoryBytes,
            int minSegments,
            int minInMemory,
            boolean listsParts) {}

    LiveSegments(Limits limits, long firstMediaSequence) {
        this.limits = limits;
        this.nextMediaSequence = firstMediaSequence;
        this.listedFrom = firstMediaSequence;
    }

    void add(FinishedPart part, int initNumber, Instant programDateTime) {
        if (!growing) {
            growing = true;
            kept.add(
                    new LiveSegment(
                            new MediaSegment(
                                    part.mediaSequence(),
                                    initNumber,
                                    part.startUs(),
                                    programDateTime,
                                    List.of(),
                                    false)));
        }
        MediaSegment.Part entry =
                new MediaSegment.Part(
                        part.durationUs(), part.independent(), part.bytes().sizeBytes());
        kept.getLast().add(entry, part.bytes().retain());
    }

    void seal() {
        if (!growing) {
            return;
        }
        growing = false;
        nextMediaSequence++;
        LiveSegment sealed = kept.getLast();
        sealed.seal();
        measure(sealed.segment());
        leaveMemory();
        slide();
    }

    /** The segment lies whole in a file, from an offset on. */
    void stored(long mediaSequence, Path file, long offsetBytes) {
        find(mediaSequence).ifPresent(segment -> segment.stored(file, offsetBytes));
        leaveMemory();
    }

    /** Listed segments, and the growing one. */
    List<PlaylistSegment> listed() {
        return since(listedFrom);
    }

    /** Kept segments from a number on, and the growing one. */
    List<PlaylistSegment> since(long mediaSequence) {
        int from = Math.clamp(mediaSequence - oldestKept(), 0, kept.size());
        List<PlaylistSegment> segments = new ArrayList<>(kept.size() - from);
        for (LiveSegment stored : kept.subList(from, kept.size())) {
            segments.add(stored.lines());
        }
        return segments;
    }

    Optional<MediaBody> body(long mediaSequence) {
        return find(mediaSequence)
                .filter(segment -> segment.segment().sealed())
                .flatMap(LiveSegment::body);
    }

    /** Of the growing segment too. */
    Optional<MediaBody> soFar(long mediaSequence) {
        return find(mediaSequence).flatMap(LiveSegment::body);
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

    Optional<MediaBody> part(long mediaSequence, int index) {
        return find(mediaSequence).flatMap(segment -> segment.part(index));
    }

    /** Number of the growing segment, or of the next one. */
    long nextMediaSequence() {
        return nextMediaSequence;
    }

    long newestSealed() {
        return nextMediaSequence - 1;
    }

    /** The newest segment of which there is a part. */
    long newest() {
        return growing ? nextMediaSequence : nextMediaSequence - 1;
    }

    int growingParts() {
        return growing ? kept.getLast().segment().parts().size() : 0;
    }

    long oldestKept() {
        return kept.isEmpty() ? nextMediaSequence : kept.getFirst().segment().mediaSequence();
    }

    int oldestInit() {
        return kept.isEmpty() ? 0 : kept.getFirst().segment().initNumber();
    }

    /** What has become of somebody's request, as long as the session goes on. */
    BlockingRequests.RequestState fate(BlockingRequests.BlockingRequest request) {
        if (!request.exact()) {
            boolean listed = lists(request.mediaSequence(), request.part());
            return listed
                    ? BlockingRequests.RequestState.THERE
                    : BlockingRequests.RequestState.OPEN;
        }
        int index = request.part().orElse(0);
        if (hasPart(request.mediaSequence(), index)) {
            return BlockingRequests.RequestState.THERE;
        }
        // A sealed segment gets no more parts; parts that are not listed are not announced either.
        boolean mayCome = limits.listsParts() && request.mediaSequence() >= nextMediaSequence;
        return mayCome ? BlockingRequests.RequestState.OPEN : BlockingRequests.RequestState.NEVER;
    }

    private boolean hasPart(long mediaSequence, int index) {
        return find(mediaSequence)
                .map(found -> index < found.segment().parts().size())
                .orElse(false);
    }

    /**
     * Whether the playlist holds a part, or without one (or where parts are not listed) a segment.
     * A part behind a sealed segment's last means the next segment's first (rfc8216bis-20,
     * 6.2.5.2).
     */
    private boolean lists(long mediaSequence, OptionalInt part) {
        if (part.isEmpty() || !limits.listsParts()) {
            return mediaSequence <= newestSealed();
        }
        if (totalUs == 0 || mediaSequence > newest()) {
            return false;
        }
        if (mediaSequence == nextMediaSequence) {
            return part.getAsInt() < growingParts();
        }
        return hasPart(mediaSequence, part.getAsInt()) || mediaSequence < newest();
    }

    /** Whether a blocked reload asks for more than can be waited for (rfc8216bis-20, 6.2.5.2). */
    boolean isTooFar(long mediaSequence, OptionalInt part, long partTargetUs) {
        if (mediaSequence > newest() + MAX_SEGMENTS_AHEAD) {
            return true;
        }
        if (part.isEmpty() || partTargetUs == 0 || mediaSequence < nextMediaSequence) {
            return false;
        }
        long partsAhead = Math.ceilDiv(ADVANCE_US, Math.min(US_PER_SECOND, partTargetUs));
        int known = mediaSequence == nextMediaSequence ? growingParts() : 0;
        return part.getAsInt() > known + partsAhead;
    }

    long peakBps() {
        return Math.max(peakBps, averageBps());
    }

    long averageBps() {
        // In floating point: the product would pass 2^63 after a terabyte.
        return totalUs == 0 ? 0 : (long) Math.ceil(totalBytes * 8e6 / totalUs);
    }

    void clear() {
        kept.forEach(LiveSegment::leaveMemory);
        kept.clear();
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

    /** Unlists what the window no longer needs, and drops what was unlisted a window ago. */
    private void slide() {
        List<PlaylistSegment> listed = listed();
        long listedUs = 0;
        for (PlaylistSegment lines : listed) {
            listedUs += lines.segment().durationUs();
        }
        int left = listed.size();
        for (PlaylistSegment lines : listed) {
            MediaSegment oldest = lines.segment();
            boolean isSpare = listedUs - oldest.durationUs() >= limits.windowUs();
            boolean isTooMuch = unstoredBytes() > limits.memoryBytes();
            if (left <= limits.minSegments() || !(isSpare || isTooMuch)) {
                break;
            }
            listedUs -= oldest.durationUs();
            left--;
            listedFrom = oldest.mediaSequence() + 1;
            find(oldest.mediaSequence()).ifPresent(LiveSegment::unlistParts);
            dropUnlisted();
        }
    }

    private void dropUnlisted() {
        long keptUs = 0;
        int first = kept.size();
        while (first > 0) {
            LiveSegment segment = kept.get(first - 1);
            boolean listed = segment.segment().mediaSequence() >= listedFrom;
            boolean old = keptUs >= 2 * limits.windowUs() && !limits.keepAll();
            if (!listed && (old || !segment.isStored())) {
                break;
            }
            keptUs += segment.segment().durationUs();
            first--;
        }
        List<LiveSegment> dropped = kept.subList(0, first);
        dropped.forEach(LiveSegment::leaveMemory);
        dropped.clear();
    }

    private void leaveMemory() {
        long newestToLeave = newestSealed() - limits.minInMemory();
        for (LiveSegment segment : kept) {
            if (segment.segment().mediaSequence() > newestToLeave) {
                break;
            }
            if (segment.isStored() && segment.memoryBytes() > 0) {
                segment.leaveMemory();
            }
        }
    }

    /** What only memory holds; the rest will leave it by itself. */
    private long unstoredBytes() {
        long sum = 0;
        for (LiveSegment segment : kept) {
            sum += segment.isStored() ? 0 : segment.memoryBytes();
        }
        return sum;
    }

    private Optional<LiveSegment> find(long mediaSequence) {
        if (kept.isEmpty()) {
            return Optional.empty();
        }
        long index = mediaSequence - kept.getFirst().segment().mediaSequence();
        return index < 0 || index >= kept.size()
                ? Optional.empty()
                : Optional.of(kept.get((int) index));
    }
}
