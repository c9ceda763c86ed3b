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
import touchline.packager.hls.MediaUnreachableException;

/**
 * Holds the blocking requests of one event loop until their part is available
 * (draft-pantos-hls-rfc8216bis-20, 6.2.5.2). Event loop only.
 *
 * <p>Requests for the same part share one registration with the session and one hop from the
 * packager's thread, so ten thousand of them are one task per event loop. All have the same
 * timeout, so they time out in order of arrival, and one scheduled task checks the oldest. A
 * cancelled request is removed at once. The registration, one per part, stays until the session
 * answers it.
 */
final class BlockingReload {
    private static final Logger LOG = LoggerFactory.getLogger(BlockingReload.class);

    /** Number of requests answered before the event loop runs other tasks. */
    private static final int BATCH = 256;

    /** How a wait ended. */
    enum Outcome {
        AVAILABLE,
        /** The session has ended, or was closed, without it. */
        ENDED,
        TOO_FAR_AHEAD,
        TIMED_OUT,
        /** Another server has it, and cannot be reached. */
        UNREACHABLE,
        /** The session failed. */
        FAILED
    }

    /**
     * @param exact the part itself, not a playlist that lists it
     */
    private record Key(LivePlayback session, long mediaSequence, OptionalInt part, boolean exact) {
        CompletionStage<Boolean> register() {
            return exact
                    ? session.whenPart(mediaSequence, part.orElse(0))
                    : session.whenAvailable(mediaSequence, part);
        }
    }

    /**
     * Node of a circular doubly linked list of waiting requests, or its sentinel. A list without
     * hashing, since every viewer enters and leaves two lists with every part.
     */
    private static final class WaiterNode {
        private final @Nullable Wait wait;
        private WaiterNode before = this;
        private WaiterNode after = this;

        WaiterNode(@Nullable Wait wait) {
            this.wait = wait;
        }

        static WaiterNode sentinel() {
            return new WaiterNode(null);
        }

        /** The oldest request in this list; null if it is empty. */
        @Nullable Wait first() {
            return after.wait;
        }

        void append(WaiterNode node) {
            node.before = before;
            node.after = this;
            before.after = node;
            before = node;
        }

        /** No effect if the node is in no list. */
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
        private final WaiterNode inOrder = new WaiterNode(this);
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

        /** Cancels the request: its callback will not run. No effect after the outcome. */
        void cancel() {
            if (held) {
                held = false;
                inOrder.leave();
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
                // Affects this request only, even out of memory: the others must be answered.
                LOG.error("cannot answer a waiting request", e);
            }
        }
    }

    private final EventExecutor executor;
    private final Duration limit;
    private final LongSupplier nanoTime;
    private final DeliveryCounters counters;

    /** Requests by the part they wait for. */
    private final Map<Key, WaiterNode> groups = new HashMap<>();

    /** All waiting requests, oldest first. */
    private final WaiterNode waits = WaiterNode.sentinel();

    /** Groups with an outcome, to be answered in batches. */
    private final Queue<Answered> answered = new ArrayDeque<>();

    private record Answered(WaiterNode group, Outcome outcome) {}

    private @Nullable ScheduledFuture<?> sweep;
    private boolean answering;

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

    /** The same for the bytes of a part; {@code ENDED} if the part will never exist. */
    Wait awaitPart(LivePlayback session, long mediaSequence, int part, Consumer<Outcome> then) {
        return await(
                new Key(session, mediaSequence, OptionalInt.of(part), /* exact= */ true), then);
    }

    /** The event loop. */
    EventExecutor executor() {
        return executor;
    }

    private Wait await(Key key, Consumer<Outcome> then) {
        Wait wait = new Wait(then, nanoTime.getAsLong() + limit.toNanos());
        WaiterNode group = groups.get(key);
        waits.append(wait.inOrder);
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
            LOG.error("session={}: cannot register for media", key.session.session(), e);
            first.finish(Outcome.FAILED);
            return;
        }
        WaiterNode group = WaiterNode.sentinel();
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
                        answer(key, outcome);
                    } else {
                        executor.execute(() -> answer(key, outcome));
                    }
                });
    }

    private static Outcome outcome(@Nullable Boolean available, @Nullable Throwable failure) {
        if (failure != null) {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            return switch (cause) {
                case IllegalArgumentException _ -> Outcome.TOO_FAR_AHEAD;
                case MediaUnreachableException _ -> Outcome.UNREACHABLE;
                default -> Outcome.FAILED;
            };
        }
        return available != null && available ? Outcome.AVAILABLE : Outcome.ENDED;
    }

    private void answer(Key key, Outcome outcome) {
        WaiterNode group = groups.remove(key);
        if (group == null) {
            return;
        }
        answered.add(new Answered(group, outcome));
        if (!answering) {
            answering = true;
            answerBatch();
        }
    }

    private void answerBatch() {
        int count = 0;
        for (Answered next = answered.peek(); next != null; next = answered.peek()) {
            Wait wait = next.group.first();
            if (wait == null) {
                answered.remove();
            } else if (count++ == BATCH) {
                executor.execute(this::answerBatch);
                return;
            } else {
                wait.finish(next.outcome);
            }
        }
        answering = false;
    }

    private void armSweep() {
        Wait oldest = waits.first();
        if (sweep == null && oldest != null) {
            sweep =
                    executor.schedule(
                            this::sweep,
                            Math.max(0, oldest.deadlineNs - nanoTime.getAsLong()),
                            TimeUnit.NANOSECONDS);
        }
    }

    private void sweep() {
        sweep = null;
        long now = nanoTime.getAsLong();
        for (Wait oldest = waits.first();
                oldest != null && oldest.deadlineNs - now <= 0;
                oldest = waits.first()) {
            oldest.finish(Outcome.TIMED_OUT);
        }
        armSweep();
    }
}
