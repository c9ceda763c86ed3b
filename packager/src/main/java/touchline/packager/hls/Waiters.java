package touchline.packager.hls;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/**
 * Those who wait for a part or segment to be listed: an entry each, no thread, no timer. A waiter
 * that its owner has completed or cancelled is forgotten at the next change. Not safe by itself:
 * guarded by its window's lock; stages are completed outside of it.
 */
final class Waiters {
    private final List<Waiter> waiting = new ArrayList<>();

    private record Waiter(
            long mediaSequence, OptionalInt part, CompletableFuture<Boolean> result) {}

    /** Whether a part, or without one a segment, is listed. */
    @FunctionalInterface
    interface Listed {
        boolean test(long mediaSequence, OptionalInt part);
    }

    CompletableFuture<Boolean> add(long mediaSequence, OptionalInt part) {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        waiting.add(new Waiter(mediaSequence, part, result));
        return result;
    }

    /** Removes and returns those whose wish has come true. */
    List<CompletableFuture<Boolean>> takeListed(Listed listed) {
        List<CompletableFuture<Boolean>> taken = new ArrayList<>();
        List<Waiter> left = new ArrayList<>();
        for (Waiter waiter : waiting) {
            if (listed.test(waiter.mediaSequence(), waiter.part())) {
                taken.add(waiter.result());
            } else if (!waiter.result().isDone()) {
                left.add(waiter);
            }
        }
        waiting.clear();
        waiting.addAll(left);
        return taken;
    }

    /** Removes and returns all. */
    List<CompletableFuture<Boolean>> takeAll() {
        return takeListed((_, _) -> true);
    }
}
