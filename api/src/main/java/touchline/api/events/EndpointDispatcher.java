package touchline.api.events;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.DeliveryRepository;
import touchline.api.domain.DeliveryOutcome;
import touchline.api.domain.DeliveryOutcome.Next;
import touchline.api.domain.DueDelivery;

/**
 * Sends one endpoint its events. Each live stream has a lane: a virtual thread that lives while
 * something of the stream can be sent, and sends it in order, one event after the other, the next
 * one when the database knows of the one before. Lanes run side by side, at most {@link #SENDERS}
 * at once; one that has sent for a second lets the others by. A stream whose event failed is
 * blocked until its retry; later retries, and what is sent again on request, go apart from all
 * lanes. Nothing is shared with other endpoints. Any thread.
 */
final class EndpointDispatcher implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EndpointDispatcher.class);

    static final int SENDERS = 16;

    private static final int LANE_BATCH = 32;
    private static final long SLICE_NS = Duration.ofSeconds(1).toNanos();
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** What all dispatchers work with; borrowed. */
    record Dependencies(
            DeliveryRepository deliveries,
            WebhookSender attempts,
            RetryTimer timer,
            DispatchCounters counters,
            InstantSource clock) {}

    /** Stores outcomes and what they say of the endpoint. */
    @FunctionalInterface
    interface Store {
        void accept(List<DeliveryOutcome> outcomes);
    }

    private final String endpoint;
    private final Dependencies dependencies;
    private final AtomicReference<EndpointTarget> target;
    private final DeliveryResultWriter writer;
    private final UnorderedSender apart;
    private final RetryTimes times;
    private final Semaphore senders = new Semaphore(SENDERS, /* fair= */ true);
    private final ReentrantLock lock = new ReentrantLock();

    /** Lanes that run, by stream. */
    @GuardedBy("lock")
    private final Map<String, StreamQueue> lanes = new HashMap<>();

    @GuardedBy("lock")
    private final Set<Thread> threads = new HashSet<>();

    @GuardedBy("lock")
    private boolean closed;

    /** A stream on its way; fields are guarded by the dispatcher's lock. */
    private static final class StreamQueue {
        private final String stream;
        private boolean again;

        StreamQueue(String stream) {
            this.stream = stream;
        }
    }

    /** How a lane's slice of time ended. */
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
        this.times = new RetryTimes(endpoint, dependencies.timer());
        this.apart =
                new UnorderedSender(
                        endpoint,
                        dependencies,
                        this::sendAndStore,
                        this::startThread,
                        this::apartIsDue);
    }

    /** Takes up what is in the database, behind this call. */
    void start() {
        startThread("start", this::takeUp);
    }

    private void takeUp() throws InterruptedException {
        while (true) {
            try {
                dependencies.deliveries().waitingStreams(endpoint).forEach(this::wake);
                apart.wake();
                return;
            } catch (RuntimeException e) {
                log.warn("webhook={} cannot be taken up yet: {}", endpoint, e.getMessage());
                Thread.sleep(PAUSE);
            }
        }
    }

    void retarget(EndpointTarget next) {
        target.set(next);
    }

    /** Something of this stream has been committed. Does not block. */
    void wake(String stream) {
        lock.lock();
        try {
            if (closed || times.isBlocked(stream, dependencies.clock().instant())) {
                return;
            }
            StreamQueue running = lanes.get(stream);
            if (running != null) {
                running.again = true;
                return;
            }
            StreamQueue lane = new StreamQueue(stream);
            lanes.put(stream, lane);
            startThread(stream, () -> run(lane));
        } finally {
            lock.unlock();
        }
    }

    /** Something is to be sent again. Does not block. */
    void wakeApart() {
        apart.wake();
    }

    /** The time that was arranged has come. Does not block. */
    void due() {
        times.reached(dependencies.clock().instant()).forEach(this::wake);
        apart.wake();
        startThread("arrange", times::arrange);
    }

    private void run(StreamQueue lane) throws InterruptedException {
        while (true) {
            Slice slice = guardedSlice(lane.stream);
            switch (slice) {
                case Slice.More() -> {}
                case Slice.Empty() -> {
                    if (leave(lane)) {
                        return;
                    }
                }
                case Slice.Blocked(Instant until) -> {
                    block(lane, until);
                    times.arrange();
                    return;
                }
            }
        }
    }

    private Slice guardedSlice(String stream) throws InterruptedException {
        senders.acquire();
        try {
            return slice(stream);
        } catch (RuntimeException e) {
            log.warn("webhook={} stream={} is held up: {}", endpoint, stream, e.getMessage());
        } finally {
            senders.release();
        }
        Thread.sleep(PAUSE);
        return new Slice.More();
    }

    private Slice slice(String stream) throws InterruptedException {
        long endNs = System.nanoTime() + SLICE_NS;
        List<DueDelivery> batch = dependencies.deliveries().waiting(endpoint, stream, LANE_BATCH);
        for (DueDelivery due : batch) {
            if (dependencies.clock().instant().isBefore(due.dueAt())) {
                return new Slice.Blocked(due.dueAt());
            }
            DeliveryOutcome outcome = sendAndStore(due);
            if (outcome.next() == Next.WAITS) {
                return new Slice.Blocked(outcome.dueAt());
            }
            if (outcome.next() == Next.APART) {
                apart.wake();
            }
            if (System.nanoTime() - endNs >= 0) {
                return new Slice.More();
            }
        }
        return batch.size() < LANE_BATCH ? new Slice.Empty() : new Slice.More();
    }

    /** One attempt, and its outcome stored. */
    private DeliveryOutcome sendAndStore(DueDelivery due) throws InterruptedException {
        if (isClosed()) {
            throw new InterruptedException("closed");
        }
        DeliveryOutcome outcome = dependencies.attempts().send(target.get(), due);
        boolean done = outcome.next() == Next.SUCCEEDED;
        if (!done && Thread.currentThread().isInterrupted()) {
            // Cut off by ourselves: that says nothing of the receiver.
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
                outcome.next() == Next.FAILED ? "given up" : "again at " + outcome.dueAt());
        if (outcome.next() == Next.FAILED) {
            dependencies.counters().deliveryGivenUp();
        }
    }

    /** Whether the lane may end: not where something came in between. */
    private boolean leave(StreamQueue lane) {
        lock.lock();
        try {
            if (lane.again) {
                lane.again = false;
                return false;
            }
            lanes.remove(lane.stream);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void block(StreamQueue lane, Instant until) {
        lock.lock();
        try {
            lanes.remove(lane.stream);
            times.block(lane.stream, until);
        } finally {
            lock.unlock();
        }
    }

    private void apartIsDue(Optional<Instant> at) throws InterruptedException {
        times.apart(at);
        times.arrange();
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Work of a dispatcher's thread; interrupted when it is closed. */
    @FunctionalInterface
    interface Work {
        void run() throws InterruptedException;
    }

    private void startThread(String name, Work work) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            Thread thread =
                    Thread.ofVirtual()
                            .name("webhook-" + endpoint + "-" + name)
                            .unstarted(() -> runAndForget(work));
            threads.add(thread);
            thread.start();
        } finally {
            lock.unlock();
        }
    }

    private void runAndForget(Work work) {
        try {
            work.run();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.error("webhook={} failed", endpoint, e);
        } finally {
            lock.lock();
            try {
                threads.remove(Thread.currentThread());
            } finally {
                lock.unlock();
            }
        }
    }

    /** From now on nothing more is sent; what runs may end. Does not block. */
    void stop() {
        times.stop();
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    /** Lets running requests end for a moment, then cuts them off. */
    @Override
    public void close() {
        stop();
        List<Thread> running;
        lock.lock();
        try {
            running = List.copyOf(threads);
        } finally {
            lock.unlock();
        }
        if (!joined(running)) {
            running.forEach(Thread::interrupt);
            boolean _ = joined(running);
        }
        writer.close();
    }

    private static boolean joined(List<Thread> threads) {
        long endNs = System.nanoTime() + GRACE.toNanos();
        try {
            for (Thread thread : threads) {
                Duration left = Duration.ofNanos(Math.max(1, endNs - System.nanoTime()));
                if (!thread.join(left)) {
                    return false;
                }
            }
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
