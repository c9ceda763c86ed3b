package touchline.api.events;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.DeliveryRepository;
import touchline.api.domain.DeliveryOutcome;
import touchline.api.domain.DeliveryOutcome.Next;
import touchline.api.domain.DueDelivery;
import touchline.media.concurrent.KeyedSerialExecutor;

/**
 * Sends one endpoint its events. Each live stream has a queue: its events are sent in order, the
 * next one after the result of the one before is stored. The queues run side by side, at most
 * {@link #SENDERS} at once. A queue gives its place up after a second.
 *
 * <p>A failed event blocks its stream until the retry. Late retries and manual redeliveries are
 * sent out of order. Endpoints share nothing. Any thread.
 */
final class EndpointDispatcher implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EndpointDispatcher.class);

    static final int SENDERS = 16;

    private static final int BATCH = 32;
    private static final long SLICE_NS = Duration.ofSeconds(1).toNanos();
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    /** Shared by all dispatchers; borrowed. */
    record Dependencies(
            DeliveryRepository deliveries,
            WebhookSender attempts,
            RetryTimer timer,
            DispatchCounters counters,
            InstantSource clock) {}

    /** Stores results and what they mean for the endpoint. */
    @FunctionalInterface
    interface Store {
        void accept(List<DeliveryOutcome> outcomes);
    }

    /** A kind of work. */
    private enum Work {
        START,
        STREAM,
        UNORDERED,
        TIMER
    }

    /**
     * Work that is done by one thread at a time.
     *
     * @param stream empty where the work is not about one
     */
    private record Key(Work work, String stream) {
        static Key of(Work work) {
            return new Key(work, "");
        }

        /** In the name of the thread. */
        @Override
        public String toString() {
            return work == Work.STREAM ? stream : work.name().toLowerCase(Locale.ROOT);
        }
    }

    private final String endpoint;
    private final Dependencies dependencies;
    private final AtomicReference<EndpointTarget> target;
    private final DeliveryResultWriter writer;
    private final UnorderedSender unordered;
    private final RetryTimes times;
    private final Semaphore senders = new Semaphore(SENDERS, /* fair= */ true);

    /** One task may wait: it does all that is due when it runs. */
    private final KeyedSerialExecutor<Key> executor;

    /** How a queue's slice of time ended. */
    private sealed interface Slice {
        /** There may be more. */
        record More() implements Slice {}

        /** Nothing was left. */
        record Empty() implements Slice {}

        record Blocked(Instant until) implements Slice {}
    }

    EndpointDispatcher(EndpointTarget target, Dependencies dependencies, Store store) {
        this.endpoint = target.endpoint();
        this.dependencies = dependencies;
        this.target = new AtomicReference<>(target);
        this.writer = new DeliveryResultWriter(endpoint, store::accept);
        this.times = new RetryTimes(endpoint, dependencies.timer(), Thread::sleep);
        this.executor = new KeyedSerialExecutor<>("webhook-" + endpoint + "-", /* maxWaiting= */ 1);
        this.unordered =
                new UnorderedSender(
                        endpoint, dependencies, this::sendAndStore, this::unorderedIsDue);
    }

    /** Sends what the database holds, after this call. */
    void start() {
        boolean _ = executor.execute(Key.of(Work.START), this::wakeAll);
    }

    private void wakeAll() throws InterruptedException {
        while (true) {
            try {
                dependencies.deliveries().waitingStreams(endpoint).forEach(this::wake);
                wakeUnordered();
                return;
            } catch (RuntimeException | Error e) {
                FailureLog.retried(log, "webhook=" + endpoint + " cannot start", e);
                Thread.sleep(PAUSE);
            }
        }
    }

    void retarget(EndpointTarget next) {
        target.set(next);
    }

    /** An event of this stream is committed. Does not block. */
    void wake(String stream) {
        if (!times.isBlocked(stream, dependencies.clock().instant())) {
            boolean _ = executor.execute(new Key(Work.STREAM, stream), () -> sendWaiting(stream));
        }
    }

    /** A delivery is to be sent again. Does not block. */
    void wakeUnordered() {
        boolean _ = executor.execute(Key.of(Work.UNORDERED), unordered::sendAllDue);
    }

    /** The timer has fired. Does not block. */
    void due() {
        times.reached(dependencies.clock().instant()).forEach(this::wake);
        wakeUnordered();
        boolean _ = executor.execute(Key.of(Work.TIMER), times::arrange);
    }

    private void sendWaiting(String stream) throws InterruptedException {
        Slice slice = new Slice.More();
        while (slice instanceof Slice.More) {
            slice = guardedSlice(stream);
        }
        if (slice instanceof Slice.Blocked(Instant until)) {
            times.block(stream, until);
            times.arrange();
        }
    }

    private Slice guardedSlice(String stream) throws InterruptedException {
        senders.acquire();
        try {
            return slice(stream);
        } catch (RuntimeException | Error e) {
            FailureLog.retried(
                    log, "webhook=" + endpoint + " stream=" + stream + " cannot send now", e);
        } finally {
            senders.release();
        }
        Thread.sleep(PAUSE);
        return new Slice.More();
    }

    private Slice slice(String stream) throws InterruptedException {
        long endNs = System.nanoTime() + SLICE_NS;
        List<DueDelivery> batch = dependencies.deliveries().waiting(endpoint, stream, BATCH);
        for (DueDelivery due : batch) {
            if (dependencies.clock().instant().isBefore(due.dueAt())) {
                return new Slice.Blocked(due.dueAt());
            }
            DeliveryOutcome outcome = sendAndStore(due);
            if (outcome.next() == Next.IN_ORDER) {
                return new Slice.Blocked(outcome.dueAt());
            }
            if (outcome.next() == Next.UNORDERED) {
                wakeUnordered();
            }
            if (System.nanoTime() - endNs >= 0) {
                return new Slice.More();
            }
        }
        return batch.size() < BATCH ? new Slice.Empty() : new Slice.More();
    }

    /** One attempt. Returns when its result is stored. */
    private DeliveryOutcome sendAndStore(DueDelivery due) throws InterruptedException {
        if (executor.isStopped()) {
            throw new InterruptedException("closed");
        }
        DeliveryOutcome outcome = dependencies.attempts().send(target.get(), due);
        boolean done = outcome.next() == Next.SUCCEEDED;
        if (!done && Thread.currentThread().isInterrupted()) {
            // The shutdown cut the request off: the receiver did not fail.
            throw new InterruptedException("closed");
        }
        count(due, outcome);
        writer.write(outcome);
        return outcome;
    }

    private void count(DueDelivery due, DeliveryOutcome outcome) {
        if (outcome.next() == Next.SUCCEEDED) {
            dependencies
                    .counters()
                    .succeeded(
                            due.attempts() == 0,
                            Duration.between(
                                    due.event().createdAt(), dependencies.clock().instant()));
            return;
        }
        dependencies.counters().attemptFailed();
        log.info(
                "webhook={} event={} attempt={} failed: {}, {}",
                endpoint,
                due.event().id(),
                outcome.attempt().number(),
                outcome.attempt().error().orElse(""),
                outcome.next() == Next.FAILED ? "given up" : "next attempt " + outcome.dueAt());
        if (outcome.next() == Next.FAILED) {
            dependencies.counters().deliveryGivenUp();
        }
    }

    private void unorderedIsDue(Optional<Instant> at) throws InterruptedException {
        times.unordered(at);
        times.arrange();
    }

    /** Sends nothing more. Requests that run may end. Does not block. */
    void stop() {
        times.stop();
        executor.stop();
    }

    /** For tests: waits until nothing can be sent without an event, or more time. */
    boolean awaitIdle(Duration limit) throws InterruptedException {
        return executor.awaitIdle(limit);
    }

    /** Waits a moment for the requests that run, then interrupts them. */
    @Override
    public void close() {
        stop();
        executor.close(CLOSE_LIMIT);
        writer.close();
    }
}
