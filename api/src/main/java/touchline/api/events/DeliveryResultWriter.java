package touchline.api.events;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.DeliveryOutcome;
import touchline.media.concurrent.KeyedSerialExecutor;

/**
 * Stores the results of an endpoint's deliveries: all that wait in one transaction, by one thread.
 * The sender waits until its result is stored. So the next event of a stream is never sent before
 * the result of the one before is stored.
 *
 * <p>While the database fails, the writer tries again until it is closed. Its queue holds at most
 * one result per sender. Any thread.
 */
final class DeliveryResultWriter implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DeliveryResultWriter.class);
    private static final int BATCH = 256;
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration CLOSE_LIMIT = Duration.ofMillis(1);

    private record Entry(DeliveryOutcome outcome, CompletableFuture<Void> stored) {}

    private final String endpoint;
    private final Consumer<List<DeliveryOutcome>> store;
    private final BlockingQueue<Entry> queue = new LinkedBlockingQueue<>();
    private final KeyedSerialExecutor<String> executor =
            new KeyedSerialExecutor<>("webhook-log-", /* maxWaiting= */ 1);

    /**
     * @param store stores all of them or none
     */
    DeliveryResultWriter(String endpoint, Consumer<List<DeliveryOutcome>> store) {
        this.endpoint = endpoint;
        this.store = store;
    }

    /**
     * Returns when the result is stored.
     *
     * @throws InterruptedException also when the writer was closed before that
     */
    void write(DeliveryOutcome outcome) throws InterruptedException {
        Entry entry = new Entry(outcome, new CompletableFuture<>());
        queue.add(entry);
        boolean _ = executor.execute(endpoint, this::storeAll);
        try {
            while (!isStored(entry)) {
                if (executor.isStopped()) {
                    throw new InterruptedException("the writer is closed");
                }
            }
        } finally {
            queue.remove(entry);
        }
    }

    /** Waits a second at most. */
    private static boolean isStored(Entry entry) throws InterruptedException {
        try {
            entry.stored().get(1, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a result is stored or tried again", e);
        } catch (TimeoutException _) {
            return false;
        }
    }

    private void storeAll() throws InterruptedException {
        List<Entry> batch = new ArrayList<>();
        while (queue.drainTo(batch, BATCH) > 0) {
            store(batch);
            batch.clear();
        }
    }

    private void store(List<Entry> batch) throws InterruptedException {
        List<DeliveryOutcome> outcomes = batch.stream().map(Entry::outcome).toList();
        while (true) {
            try {
                store.accept(outcomes);
                batch.forEach(entry -> entry.stored().complete(null));
                return;
            } catch (RuntimeException | Error e) {
                FailureLog.retried(
                        log,
                        "webhook=" + endpoint + " " + outcomes.size() + " results are not stored",
                        e);
                Thread.sleep(PAUSE);
            }
        }
    }

    /** Results that are not stored yet are lost: the next start sends their events again. */
    @Override
    public void close() {
        executor.close(CLOSE_LIMIT);
    }
}
