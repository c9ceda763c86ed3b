package touchline.media.hub;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;

/** Standby media that is being made, or waits until it is due. Guarded by its session. */
final class StandbyPreparation {
    /** Changes with each preparation: the result of an earlier one is dropped. */
    private int number;

    private boolean runs;
    private @Nullable StandbyMedia ready;

    /** When media flowed last before the preparation. */
    private long madeForNs;

    /** The last GOP of a publication that writes no more. */
    private List<AccessUnit> lastGop = List.of();

    /**
     * Keeps the last GOP, unless an earlier one is kept. Older media is dropped first: later it
     * would take this GOP along.
     *
     * @param flowedNs when media flowed last
     */
    void keep(List<AccessUnit> gop, long flowedNs) {
        dropIfOlderThan(flowedNs);
        if (lastGop.isEmpty()) {
            lastGop = gop;
        }
    }

    /** The GOP that was kept, or else the current one. */
    List<AccessUnit> gop(Feed source) {
        return lastGop.isEmpty() ? source.gop() : lastGop;
    }

    /** Whether media is being made, or waits. */
    boolean hasBegun() {
        return runs || ready != null;
    }

    /** Media that waits; null while it is being made. */
    @Nullable StandbyMedia ready() {
        return ready;
    }

    /**
     * Makes media; replaces an earlier preparation.
     *
     * @param flowedNs when media flowed last
     * @param then receives the media, or null and the reason; called by the executor
     */
    void start(
            long flowedNs, CompletableFuture<StandbyMedia> media, Executor executor, Result then) {
        stop();
        int mine = number;
        runs = true;
        madeForNs = flowedNs;
        BiConsumer<@Nullable StandbyMedia, @Nullable Throwable> made =
                (result, failure) -> then.made(mine, result, failure);
        CompletableFuture<StandbyMedia> _ = media.whenCompleteAsync(made, executor);
    }

    /** Receives what {@link #start} makes. */
    interface Result {
        void made(int number, @Nullable StandbyMedia media, @Nullable Throwable failure);
    }

    /** Accepts the result of the newest preparation; false for an earlier one. */
    boolean accept(int of, @Nullable StandbyMedia media) {
        if (of != number) {
            return false;
        }
        runs = false;
        ready = media;
        return true;
    }

    /** Drops it if media has flowed since it began: it would show an older frame. */
    void dropIfOlderThan(long flowedNs) {
        if (hasBegun() && madeForNs != flowedNs) {
            clear();
        }
    }

    /** Drops the media, not the GOP. */
    void stop() {
        number++;
        runs = false;
        ready = null;
    }

    /** Drops the media and the GOP. */
    void clear() {
        stop();
        lastGop = List.of();
    }
}
