package touchline.api.events;

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

/**
 * Stores what becomes of an endpoint's deliveries, as many as there are in one transaction, on a
 * virtual thread of its own. Whoever brings an outcome waits until it is stored: so the next event
 * of a stream is never sent before the database knows of the one before it. A database that fails
 * is asked again until the writer is closed. Its queue holds at most one outcome for each sender.
 */
final class DeliveryResultWriter implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DeliveryResultWriter.class);
    private static final int AT_ONCE = 256;
    private static final long PAUSE_MS = 1_000;

    private record Entry(DeliveryOutcome outcome, CompletableFuture<Void> stored) {}

    private final String endpoint;
    private final Consumer<List<DeliveryOutcome>> store;
    private final BlockingQueue<Entry> queue = new LinkedBlockingQueue<>();
    private final Thread thread;

    /**
     * @param store stores all of them or none
     */
    DeliveryResultWriter(String endpoint, Consumer<List<DeliveryOutcome>> store) {
        this.endpoint = endpoint;
        this.store = store;
        this.thread = Thread.ofVirtual().name("webhook-log-" + endpoint).start(this::run);
    }

    /**
     * Returns when the outcome is stored.
     *
     * @throws InterruptedException also when the writer was closed before that
     */
    void write(DeliveryOutcome outcome) throws InterruptedException {
        Entry entry = new Entry(outcome, new CompletableFuture<>());
        queue.add(entry);
        try {
            while (!entry.stored().isDone() && thread.isAlive()) {
                boolean _ = await(entry);
            }
            if (!entry.stored().isDone()) {
                throw new InterruptedException("the writer is closed");
            }
        } finally {
            queue.remove(entry);
        }
    }

    private static boolean await(Entry entry) throws InterruptedException {
        try {
            entry.stored().get(1, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException e) {
            throw new IllegalStateException("an outcome is never failed", e);
        } catch (TimeoutException _) {
            return false;
        }
    }

    private void run() {
        List<Entry> batch = new ArrayList<>();
        try {
            while (true) {
                batch.clear();
                batch.add(queue.take());
                queue.drainTo(batch, AT_ONCE - 1);
                storeAll(batch);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void storeAll(List<Entry> batch) throws InterruptedException {
        List<DeliveryOutcome> outcomes = batch.stream().map(Entry::outcome).toList();
        while (true) {
            try {
                store.accept(outcomes);
                batch.forEach(entry -> entry.stored().complete(null));
                return;
            } catch (RuntimeException e) {
                log.warn(
                        "webhook={} {} outcomes are not stored, will be tried again: {}",
                        endpoint,
                        outcomes.size(),
                        e.getMessage());
                Thread.sleep(PAUSE_MS);
            }
        }
    }

    /** What is not stored now is sent again at the next start. */
    @Override
    public void close() {
        thread.interrupt();
    }
}
