package touchline.api.events;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.DeliveryOutcome;
import touchline.api.domain.DueDelivery;
import touchline.api.events.EndpointDispatcher.Dependencies;

/**
 * Sends those deliveries of an endpoint that are out of order: late retries and manual
 * redeliveries. It sends {@value #PARALLEL} at a time, those of one stream in their order. One
 * thread.
 */
final class UnorderedSender {
    private static final Logger log = LoggerFactory.getLogger(UnorderedSender.class);
    private static final int BATCH = 64;
    private static final int PARALLEL = 4;
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** Sends a delivery once and stores the outcome. */
    @FunctionalInterface
    interface Sender {
        DeliveryOutcome send(DueDelivery due) throws InterruptedException;
    }

    /** Receives the time of the next delivery. */
    @FunctionalInterface
    interface NextDue {
        void at(Optional<Instant> next) throws InterruptedException;
    }

    private final String endpoint;
    private final Dependencies dependencies;
    private final Sender sender;
    private final NextDue nextDue;

    UnorderedSender(String endpoint, Dependencies dependencies, Sender sender, NextDue nextDue) {
        this.endpoint = endpoint;
        this.dependencies = dependencies;
        this.sender = sender;
        this.nextDue = nextDue;
    }

    /** Sends all deliveries that are due now, then reports when the next one is. */
    void sendAllDue() throws InterruptedException {
        boolean mayHaveMore = true;
        while (mayHaveMore) {
            try {
                mayHaveMore = sendBatch() == BATCH;
                if (!mayHaveMore) {
                    nextDue.at(dependencies.deliveries().nextUnordered(endpoint));
                }
            } catch (RuntimeException | Error e) {
                FailureLog.retried(log, "webhook=" + endpoint + " cannot send now", e);
                mayHaveMore = true;
                Thread.sleep(PAUSE);
            }
        }
    }

    /** Returns how many were due. */
    private int sendBatch() throws InterruptedException {
        List<DueDelivery> batch =
                dependencies
                        .deliveries()
                        .unordered(endpoint, dependencies.clock().instant(), BATCH);
        List<List<DueDelivery>> shares = shares(batch);
        List<Thread> helpers = new ArrayList<>();
        try {
            for (List<DueDelivery> share : shares.subList(1, PARALLEL)) {
                helpers.add(
                        Thread.ofVirtual()
                                .name("webhook-" + endpoint + "-unordered")
                                .start(() -> sendShare(share)));
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

    private static List<List<DueDelivery>> shares(List<DueDelivery> batch) {
        Map<String, List<DueDelivery>> byStream = new LinkedHashMap<>();
        for (DueDelivery due : batch) {
            String stream = due.event().stream().map(id -> id.value()).orElse("");
            byStream.computeIfAbsent(stream, _ -> new ArrayList<>()).add(due);
        }
        List<List<DueDelivery>> shares = new ArrayList<>();
        for (int i = 0; i < PARALLEL; i++) {
            shares.add(new ArrayList<>());
        }
        int next = 0;
        for (List<DueDelivery> ofStream : byStream.values()) {
            shares.get(next++ % PARALLEL).addAll(ofStream);
        }
        return shares;
    }

    /** What is not sent stays due and comes with a later batch. */
    private void sendShare(List<DueDelivery> share) {
        try {
            sendAll(share);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            FailureLog.retried(log, "webhook=" + endpoint + " cannot send now", e);
        }
    }

    private void sendAll(List<DueDelivery> share) throws InterruptedException {
        for (DueDelivery due : share) {
            DeliveryOutcome _ = sender.send(due);
        }
    }
}
