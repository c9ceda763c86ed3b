package touchline.packager.delivery;

import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
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

    /** One held request. */
    final class Wait {
        private final Consumer<Outcome> then;
        private final long deadlineNs;
        private @Nullable Set<Wait> group;

        private Wait(Consumer<Outcome> then, long deadlineNs) {
            this.then = then;
            this.deadlineNs = deadlineNs;
        }

        /** Neither answered nor cancelled. */
        boolean isHeld() {
            return waits.contains(this);
        }

        /** Forgets the request: nothing is called any more. Does nothing after the outcome. */
        void cancel() {
            if (waits.remove(this)) {
                counters.blocked(-1);
                leave();
            }
        }

        private void finish(Outcome outcome) {
            if (waits.remove(this)) {
                counters.blocked(-1);
                leave();
                try {
                    then.accept(outcome);
                } catch (RuntimeException e) {
                    // of one request only: the others must hear of their part
                    LOG.error("a held request cannot be answered", e);
                }
            }
        }

        private void leave() {
            if (group != null) {
                group.remove(this);
            }
        }
    }

    private final EventExecutor executor;
    private final Duration limit;
    private final LongSupplier nanoTime;
    private final DeliveryCounters counters;

    private final Map<Key, Set<Wait>> groups = new HashMap<>();

    /** All that wait, eldest first. */
    private final Set<Wait> waits = new LinkedHashSet<>();

    /** Groups that have their answer and are being told. */
    private final Queue<Told> told = new ArrayDeque<>();

    private record Told(Iterator<Wait> waits, Outcome outcome) {}

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
        Set<Wait> group = groups.get(key);
        waits.add(wait);
        counters.blocked(1);
        if (group != null) {
            group.add(wait);
            wait.group = group;
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
        Set<Wait> group = new LinkedHashSet<>();
        group.add(first);
        first.group = group;
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
        Set<Wait> group = groups.remove(key);
        if (group == null || group.isEmpty()) {
            return;
        }
        group.forEach(wait -> wait.group = null);
        told.add(new Told(group.iterator(), outcome));
        if (!telling) {
            telling = true;
            tellSome();
        }
    }

    private void tellSome() {
        int count = 0;
        for (Told next = told.peek(); next != null; next = told.peek()) {
            if (!next.waits.hasNext()) {
                told.remove();
            } else if (count++ == BATCH) {
                executor.execute(this::tellSome);
                return;
            } else {
                next.waits.next().finish(next.outcome);
            }
        }
        telling = false;
    }

    private void armSweep() {
        if (sweep == null && !waits.isEmpty()) {
            Wait eldest = waits.iterator().next();
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
        while (!waits.isEmpty()) {
            Wait eldest = waits.iterator().next();
            if (eldest.deadlineNs - now > 0) {
                break;
            }
            eldest.finish(Outcome.TIMED_OUT);
        }
        armSweep();
    }
}
