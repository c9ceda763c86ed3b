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
 * Those who wait for a part or segment: one entry for each wish, however many share it, no thread,
 * no timer. Wishes lie a few parts ahead at most, so there are few. Not safe by itself: guarded by
 * its window's lock; stages are completed outside of it.
 */
final class Waiters {
    private final Map<Wish, CompletableFuture<Boolean>> waiting = new HashMap<>();

    /**
     * @param part without one the whole segment
     * @param exact the part itself; otherwise a playlist that lists it, or what comes in its place
     */
    record Wish(long mediaSequence, OptionalInt part, boolean exact) {}

    /** What has become of a wish. */
    enum Fate {
        THERE,
        NEVER,
        OPEN
    }

    /** Whose fate is known now, to be told outside of the lock. */
    record Told(CompletableFuture<Boolean> result, boolean there) {
        void tell() {
            result.complete(there);
        }
    }

    CompletionStage<Boolean> add(Wish wish) {
        // A stage of its own: whoever completes or cancels it does so for himself alone.
        return waiting.computeIfAbsent(wish, _ -> new CompletableFuture<>()).copy();
    }

    /** Removes and returns those whose fate is known. */
    List<Told> take(Function<Wish, Fate> fates) {
        List<Told> told = new ArrayList<>();
        Iterator<Map.Entry<Wish, CompletableFuture<Boolean>>> all = waiting.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<Wish, CompletableFuture<Boolean>> each = all.next();
            Fate fate = fates.apply(each.getKey());
            if (fate != Fate.OPEN) {
                told.add(new Told(each.getValue(), fate == Fate.THERE));
                all.remove();
            }
        }
        return told;
    }
}
