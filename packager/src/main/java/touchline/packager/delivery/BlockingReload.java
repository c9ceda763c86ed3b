package touchline.packager.delivery;

import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.packager.hls.LivePlayback;

/**
 * The requests of one event loop that are held until a part is there
 * (draft-pantos-hls-rfc8216bis-20, 6.2.5.2). Event loop only.
 *
 * <p>Waiters for the same part share one registration with the session and one hop from the
 * packager's thread, so that ten thousand of them are one task for each event loop. All wait
 * equally long, so they time out in the order they came, and one scheduled task looks after the
 * eldest. A waiter that leaves is forgotten at once; what stays is the registration, one per part,
 * until the session answers it.
 */
final class BlockingReload {
    private static final Logger LOG = LoggerFactory.getLogger(BlockingReload.class);

    /** How many waiters are answered before the event loop may do something else. */
    private static final int BATCH = 256;

    /** How a wait ended. */
    enum Outcome {
        AVAILABLE,
        /** The session has ended, or was closed, without it. */
        ENDED,
        TOO_FAR_AHEAD,
        TIMED_OUT,
        /** The session failed to say. */
        FAILED
    }

    /**
     * @param exact the part itself is wanted, not a playlist that lists it
     */
    private record Key(LivePlayback session, long mediaSequence, OptionalInt part, boolean exact) {
        CompletionStage<Boolean> register() {
            return exact
                    ? session.whenPart(mediaSequence, part.orElse(0))
                    : session.whenAvailable(mediaSequence, part);
        }
    }

    /**
     * A place in a row of waits, or the row itself: a ring that starts and ends with a place of
     * nobody. Without hashing, since every viewer enters and leaves two rows with every part.
     */
    private static final class WaiterNode {
        private final @Nullable Wait wait;
        private WaiterNode before = this;
        private WaiterNode after = this;

        WaiterNode(@Nullable Wait wait) {
            this.wait = wait;
        }

        static WaiterNode row() {
            return new WaiterNode(null);
        }

        /** The eldest in this row; null where nobody is. */
        @Nullable Wait first() {
            return after.wait;
        }

        void append(WaiterNode place) {
            place.before = before;
            place.after = this;
            before.after = place;
            before = place;
        }

        /** Does nothing where it is in no row. */
        void leave() {
            before.after = after;
            after.before = before;
            before = this;
            after = this;
        }
    }

    /** One held request. */
    final class Wait {
        private final Consumer<Outcome> then;
        private final long deadlineNs;
        private final WaiterNode byAge = new WaiterNode(this);
        private final WaiterNode inGroup = new WaiterNode(this);
        private boolean held = true;

        private Wait(Consumer<Outcome> then, long deadlineNs) {
            this.then = then;
            this.deadlineNs = deadlineNs;
        }

        /** Neither answered nor cancelled. */
        boolean isHeld() {
            return held;
        }

        /** Forgets the request: nothing is called any more. Does nothing after the outcome. */
        void cancel() {
            if (held) {
                held = false;
                byAge.leave();
                inGroup.leave();
                counters.blocked(-1);
            }
        }

        private void finish(Outcome outcome) {
            if (!held) {
                return;
            }
            cancel();
            try {
                then.accept(outcome);
            } catch (RuntimeException | Error e) {
                // Of one request only, out of memory too: the others must hear of their part.
                LOG.error("a held request cannot be answered", e);
            }
        }
    }

    private final EventExecutor executor;
    private final Duration limit;
    private final LongSupplier nanoTime;
    private final DeliveryCounters counters;

    /** Rows of those who wait for the same. */
    private final Map<Key, WaiterNode> groups = new HashMap<>();

    /** All that wait, eldest first. */
    private final WaiterNode waits = WaiterNode.row();

    /** Groups that have their answer and are being told. */
    private final Queue<Answered> told = new ArrayDeque<>();

    private record Answered(WaiterNode group, Outcome outcome) {}

    private @Nullable ScheduledFuture<?> sweep;
    private boolean telling;

    BlockingReload(
            EventExecutor executor,
            Duration limit,
            LongSupplier nanoTime,
            DeliveryCounters counters) {
        this.executor = executor;
        this.limit = limit;
        this.nanoTime = nanoTime;
        this.counters = counters;
    }

    /**
     * Holds a request; may call {@code then} before it returns, and calls it once at most.
     *
     * @return for {@link Wait#cancel}
     */
    Wait await(LivePlayback session, long mediaSequence, OptionalInt part, Consumer<Outcome> then) {
        return await(new Key(session, mediaSequence, part, /* exact= */ false), then);
    }

    /** The same for the bytes of a part, which may turn out never to come: {@code ENDED} then. */
    Wait awaitPart(LivePlayback session, long mediaSequence, int part, Consumer<Outcome> then) {
        return await(
                new Key(session, mediaSequence, OptionalInt.of(part), /* exact= */ true), then);
    }

    /** Where all this happens. */
    EventExecutor executor() {
        return executor;
    }

    private Wait await(Key key, Consumer<Outcome> then) {
        Wait wait = new Wait(then, nanoTime.getAsLong() + limit.toNanos());
        WaiterNode group = groups.get(key);
        waits.append(wait.byAge);
        counters.blocked(1);
        if (group != null) {
            group.append(wait.inGroup);
        } else {
            register(key, wait);
        }
        armSweep();
        return wait;
    }

    private void register(Key key, Wait first) {
        CompletionStage<Boolean> stage;
        try {
            stage = key.register();
        } catch (IllegalArgumentException _) {
            first.finish(Outcome.TOO_FAR_AHEAD);
            return;
        } catch (RuntimeException e) {
            LOG.error("session={}: cannot wait for media", key.session.session(), e);
            first.finish(Outcome.FAILED);
            return;
        }
        WaiterNode group = WaiterNode.row();
        group.append(first.inGroup);
        groups.put(key, group);
        stage.whenComplete(
                (available, failure) -> {
                    Outcome outcome = outcome(available, failure);
                    if (outcome == Outcome.FAILED) {
                        LOG.error(
                                "session={}: waiting for media failed",
                                key.session.session(),
                                failure);
                    }
                    if (executor.inEventLoop()) {
                        tell(key, outcome);
                    } else {
                        executor.execute(() -> tell(key, outcome));
                    }
                });
    }

    private static Outcome outcome(@Nullable Boolean available, @Nullable Throwable failure) {
        if (failure != null) {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            return cause instanceof IllegalArgumentException
                    ? Outcome.TOO_FAR_AHEAD
                    : Outcome.FAILED;
        }
        return available != null && available ? Outcome.AVAILABLE : Outcome.ENDED;
    }

    private void tell(Key key, Outcome outcome) {
        WaiterNode group = groups.remove(key);
        if (group == null) {
            return;
        }
        told.add(new Answered(group, outcome));
        if (!telling) {
            telling = true;
            tellSome();
        }
    }

    private void tellSome() {
        int count = 0;
        for (Answered next = told.peek(); next != null; next = told.peek()) {
            Wait wait = next.group.first();
            if (wait == null) {
                told.remove();
            } else if (count++ == BATCH) {
                executor.execute(this::tellSome);
                return;
            } else {
                wait.finish(next.outcome);
            }
        }
        telling = false;
    }

    private void armSweep() {
        Wait eldest = waits.first();
        if (sweep == null && eldest != null) {
            sweep =
                    executor.schedule(
                            this::sweep,
                            Math.max(0, eldest.deadlineNs - nanoTime.getAsLong()),
                            TimeUnit.NANOSECONDS);
        }
    }

    private void sweep() {
        sweep = null;
        long now = nanoTime.getAsLong();
        for (Wait eldest = waits.first();
                eldest != null && eldest.deadlineNs - now <= 0;
                eldest = waits.first()) {
            eldest.finish(Outcome.TIMED_OUT);
        }
        armSweep();
    }
}
