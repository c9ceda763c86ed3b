package touchline.api.events;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.DeliveryOutcome;
import touchline.api.domain.DueDelivery;
import touchline.api.events.EndpointDispatcher.Dependencies;
import touchline.api.events.EndpointDispatcher.Work;

/**
 * Sends what of an endpoint's events goes apart from the lanes: later retries, and what is sent
 * again on request. A few at a time, those of one stream in their order, on threads that live while
 * something is due. Any thread.
 */
final class UnorderedSender {
    private static final Logger log = LoggerFactory.getLogger(UnorderedSender.class);
    private static final int BATCH = 64;
    private static final int AT_ONCE = 4;
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** Sends a delivery once and stores what became of it. */
    @FunctionalInterface
    interface Sender {
        DeliveryOutcome send(DueDelivery due) throws InterruptedException;
    }

    /** Told when the next one is due. */
    @FunctionalInterface
    interface NextDue {
        void at(Optional<Instant> next) throws InterruptedException;
    }

    private final String endpoint;
    private final Dependencies dependencies;
    private final Sender sender;
    private final BiConsumer<String, Work> threads;
    private final NextDue nextDue;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private boolean running;

    @GuardedBy("lock")
    private boolean again;

    /**
     * @param threads starts a thread of the endpoint
     */
    UnorderedSender(
            String endpoint,
            Dependencies dependencies,
            Sender sender,
            BiConsumer<String, Work> threads,
            NextDue nextDue) {
        this.endpoint = endpoint;
        this.dependencies = dependencies;
        this.sender = sender;
        this.threads = threads;
        this.nextDue = nextDue;
    }

    /** Something may be due. Does not block. */
    void wake() {
        lock.lock();
        try {
            if (running) {
                again = true;
                return;
            }
            running = true;
        } finally {
            lock.unlock();
        }
        threads.accept("apart", this::run);
    }

    private void run() throws InterruptedException {
        while (true) {
            try {
                if (sendDue() < BATCH && idle()) {
                    return;
                }
            } catch (RuntimeException e) {
                log.warn("webhook={} is held up: {}", endpoint, e.getMessage());
                Thread.sleep(PAUSE);
            }
        }
    }

    /** Whether it may rest; says when it is to be woken before it does. */
    private boolean idle() throws InterruptedException {
        nextDue.at(dependencies.deliveries().nextApart(endpoint));
        lock.lock();
        try {
            running = again;
            again = false;
            return !running;
        } finally {
            lock.unlock();
        }
    }

    private int sendDue() throws InterruptedException {
        List<DueDelivery> batch =
                dependencies.deliveries().apart(endpoint, dependencies.clock().instant(), BATCH);
        Map<String, List<DueDelivery>> byStream = new LinkedHashMap<>();
        for (DueDelivery due : batch) {
            String stream = due.event().stream().map(id -> id.value()).orElse("");
            byStream.computeIfAbsent(stream, _ -> new ArrayList<>()).add(due);
        }
        List<List<DueDelivery>> shares = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            shares.add(new ArrayList<>());
        }
        int next = 0;
        for (List<DueDelivery> ofStream : byStream.values()) {
            shares.get(next++ % AT_ONCE).addAll(ofStream);
        }
        List<Thread> helpers = new ArrayList<>();
        try {
            for (List<DueDelivery> share : shares.subList(1, AT_ONCE)) {
                helpers.add(
                        Thread.ofVirtual()
                                .name("webhook-" + endpoint + "-apart")
                                .start(() -> sendQuietly(share)));
            }
            sendAll(shares.getFirst());
            for (Thread helper : helpers) {
                helper.join();
            }
        } finally {
            helpers.forEach(Thread::interrupt);
        }
        return batch.size();
    }

    private void sendQuietly(List<DueDelivery> share) {
        try {
            sendAll(share);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void sendAll(List<DueDelivery> share) throws InterruptedException {
        for (DueDelivery due : share) {
            DeliveryOutcome _ = sender.send(due);
        }
    }
}
