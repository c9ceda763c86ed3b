package touchline.packager.hls;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Requests for a part or segment that is not there yet, and the rules by which they are answered
 * (draft-pantos-hls-rfc8216bis-20, 6.2.5.2). One entry for each request, however many viewers share
 * it; no thread, no timer. Requests lie a few parts ahead at most, so there are few.
 *
 * <p>Not thread-safe: guarded by its window's lock. Stages are completed without the lock.
 */
final class BlockingRequests {
    private static final long US_PER_SECOND = 1_000_000;
    private static final int MAX_SEGMENTS_AHEAD = 2;

    /** The Advance Part Limit in time. */
    private static final long ADVANCE_US = 3 * US_PER_SECOND;

    private final LiveSegments segments;
    private final boolean listsParts;
    private final Map<BlockingRequest, CompletableFuture<Boolean>> waiting = new HashMap<>();

    /**
     * @param part empty for the whole segment
     * @param exact the part itself, by its number in addresses; otherwise a playlist that lists it,
     *     or a later one, by its index
     */
    record BlockingRequest(long mediaSequence, OptionalInt part, boolean exact) {}

    /** State of a blocking request. */
    enum RequestState {
        READY,
        /** Not available, now or later. */
        NEVER,
        WAITING
    }

    /**
     * Progress of the session, as far as it decides on requests.
     *
     * @param rendering a playlist that lists the newest segments is being rendered
     * @param partTargetUs PART-TARGET, or its planned value
     */
    record Progress(boolean closed, boolean ended, boolean rendering, long partTargetUs) {}

    /** An answer to complete without the lock. */
    record Completion(CompletableFuture<Boolean> result, boolean available) {
        void complete() {
            result.complete(available);
        }
    }

    BlockingRequests(LiveSegments segments, boolean listsParts) {
        this.segments = segments;
        this.listsParts = listsParts;
    }

    /**
     * @param shownVersion of the playlists that are shown
     * @param plannedPartUs PART-TARGET before it is known
     */
    Progress progress(boolean closed, long shownVersion, long plannedPartUs) {
        Optional<MediaPlaylist.Head> head = segments.head();
        long partUs = head.map(MediaPlaylist.Head::partTargetUs).orElse(0L);
        return new Progress(
                closed,
                segments.isEnded(),
                head.isPresent() && shownVersion < segments.version(),
                partUs == 0 ? plannedPartUs : partUs);
    }

    /**
     * Completes with true when the request is ready, with false when it never will be, with an
     * IllegalArgumentException when it lies too far ahead to wait for.
     */
    CompletionStage<Boolean> when(BlockingRequest request, Progress now) {
        RequestState state = state(request, now);
        if (state != RequestState.WAITING) {
            return CompletableFuture.completedFuture(state == RequestState.READY);
        }
        if (isTooFar(request.mediaSequence(), request.part(), now.partTargetUs())) {
            return CompletableFuture.failedFuture(
                    new IllegalArgumentException(
                            "%s (the newest segment: %d)".formatted(request, segments.newest())));
        }
        // Each caller gets a stage of its own, which it may complete or cancel.
        return waiting.computeIfAbsent(shared(request), _ -> new CompletableFuture<>()).copy();
    }

    /** Removes and returns the requests that no longer wait. */
    List<Completion> take(Progress now) {
        List<Completion> taken = new ArrayList<>();
        Iterator<Map.Entry<BlockingRequest, CompletableFuture<Boolean>>> all =
                waiting.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<BlockingRequest, CompletableFuture<Boolean>> each = all.next();
            RequestState state = state(each.getKey(), now);
            if (state != RequestState.WAITING) {
                taken.add(new Completion(each.getValue(), state == RequestState.READY));
                all.remove();
            }
        }
        return taken;
    }

    /** A playlist is ready when it is shown, not before. */
    private RequestState state(BlockingRequest request, Progress now) {
        if (now.closed()) {
            return RequestState.NEVER;
        }
        RequestState state = state(request);
        boolean isBeingRendered = !request.exact() && now.rendering();
        if (isBeingRendered && (state == RequestState.READY || now.ended())) {
            return RequestState.WAITING;
        }
        return state == RequestState.WAITING && now.ended() ? RequestState.NEVER : state;
    }

    /** By the segments alone, while the session runs. */
    private RequestState state(BlockingRequest request) {
        if (!request.exact()) {
            return isListed(request.mediaSequence(), request.part())
                    ? RequestState.READY
                    : RequestState.WAITING;
        }
        int number = request.part().orElse(0);
        if (segments.hasPart(request.mediaSequence(), number)) {
            return RequestState.READY;
        }
        // Parts that are not listed are not announced either.
        boolean mayCome = listsParts && segments.mayCome(request.mediaSequence(), number);
        return mayCome ? RequestState.WAITING : RequestState.NEVER;
    }

    /**
     * Whether the playlist lists a part; without one (or where parts are not listed) a segment. A
     * part number past a sealed segment's last part means the next segment's first part.
     */
    private boolean isListed(long mediaSequence, OptionalInt part) {
        if (!segments.hasSealed()) {
            return false;
        }
        if (part.isEmpty() || !listsParts) {
            return mediaSequence < segments.nextMediaSequence();
        }
        if (mediaSequence > segments.newest()) {
            return false;
        }
        if (mediaSequence == segments.nextMediaSequence()) {
            return part.getAsInt() < segments.growingParts();
        }
        return part.getAsInt() < segments.parts(mediaSequence) || mediaSequence < segments.newest();
    }

    private boolean isTooFar(long mediaSequence, OptionalInt part, long partTargetUs) {
        if (mediaSequence > segments.newest() + MAX_SEGMENTS_AHEAD) {
            return true;
        }
        if (part.isEmpty() || partTargetUs == 0 || mediaSequence < segments.nextMediaSequence()) {
            return false;
        }
        long partsAhead = Math.ceilDiv(ADVANCE_US, Math.min(US_PER_SECOND, partTargetUs));
        boolean grows = mediaSequence == segments.nextMediaSequence();
        return part.getAsInt() > (grows ? segments.growingParts() : 0) + partsAhead;
    }

    /**
     * The request that stands for all of its kind: whatever part past a sealed segment's last is
     * requested, the next segment's first part answers it. A part that is there but not listed yet
     * stands for itself.
     */
    private BlockingRequest shared(BlockingRequest request) {
        long next = segments.nextMediaSequence();
        boolean mayStay =
                request.exact() || request.part().isEmpty() || request.mediaSequence() >= next;
        return mayStay || state(request) == RequestState.READY
                ? request
                : new BlockingRequest(next, OptionalInt.of(0), /* exact= */ false);
    }
}
