package touchline.packager.hls;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Those who wait for a part or segment: one entry for each request, however many share it, no
 * thread, no timer. Requests lie a few parts ahead at most, so there are few. Not safe by itself:
 * guarded by its window's lock; stages are completed outside of it.
 */
final class BlockingRequests {
    private final Map<BlockingRequest, CompletableFuture<Boolean>> waiting = new HashMap<>();

    /**
     * @param part without one the whole segment
     * @param exact the part itself; otherwise a playlist that lists it, or what comes in its place
     */
    record BlockingRequest(long mediaSequence, OptionalInt part, boolean exact) {}

    /** What has become of a request. */
    enum RequestState {
        THERE,
        NEVER,
        OPEN
    }

    /** Whose fate is known now, to be told outside of the lock. */
    record Completion(CompletableFuture<Boolean> result, boolean there) {
        void tell() {
            result.complete(there);
        }
    }

    CompletionStage<Boolean> add(BlockingRequest request) {
        // A stage of its own: whoever completes or cancels it does so for himself alone.
        return waiting.computeIfAbsent(request, _ -> new CompletableFuture<>()).copy();
    }

    /** Removes and returns those whose fate is known. */
    List<Completion> take(Function<BlockingRequest, RequestState> fates) {
        List<Completion> told = new ArrayList<>();
        Iterator<Map.Entry<BlockingRequest, CompletableFuture<Boolean>>> all =
                waiting.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<BlockingRequest, CompletableFuture<Boolean>> each = all.next();
            RequestState fate = fates.apply(each.getKey());
            if (fate != RequestState.OPEN) {
                told.add(new Completion(each.getValue(), fate == RequestState.THERE));
                all.remove();
            }
        }
        return told;
    }
}
