package touchline.api.cluster;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.ClusterChanges;
import touchline.api.domain.ClusterNode;

/**
 * Calls of this node that all others receive at once: changes, before the client of a change is
 * answered, and hints that work waits. What does not arrive is found by polling. Any thread; one
 * starts and closes it.
 */
public final class Nudges implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Nudges.class);

    /** A node that needs longer is dead, or answers no viewer once its lease is over. */
    private static final Duration CHANGE_PATIENCE = Duration.ofSeconds(1);

    private static final Duration WAKE_PATIENCE = Duration.ofSeconds(1);

    /** What arrives within this time is one call. */
    private static final long BATCH_MS = 5;

    private final NodeClient client;
    private final Supplier<List<ClusterNode>> registered;
    private final NodeDirectory directory;
    private final Semaphore wanted = new Semaphore(0);

    /** Guarded by itself. */
    private final Set<WakeUp> waiting = EnumSet.noneOf(WakeUp.class);

    private final Thread sender =
            Thread.ofPlatform().daemon().name("cluster-wake").unstarted(this::send);

    private final LongAdder unconfirmed = new LongAdder();
    private volatile boolean closed;

    /**
     * @param registered the other nodes that run, as the database has them now: a node that has
     *     just joined holds what it has read before
     * @param directory the same as of the newest heartbeat
     */
    public Nudges(
            NodeClient client, Supplier<List<ClusterNode>> registered, NodeDirectory directory) {
        this.client = client;
        this.registered = registered;
        this.directory = directory;
    }

    public void start() {
        sender.start();
    }

    /** Returns when every node has applied the change, or did not answer in time. */
    public void changed(ClusterChanges.Row change) {
        List<ClusterNode> failed = client.changed(registered.get(), change, CHANGE_PATIENCE);
        unconfirmed.add(failed.size());
        for (ClusterNode node : failed) {
            log.warn(
                    "node {} has not confirmed a change ({} {}): it reads it from the database",
                    node.id(),
                    change.kind(),
                    change.subject());
        }
    }

    /** Changes that a node did not confirm in time, since the start. */
    public long unconfirmed() {
        return unconfirmed.sum();
    }

    /** Lets the other nodes know soon; returns at once. */
    public void wake(WakeUp work) {
        synchronized (waiting) {
            if (!waiting.add(work)) {
                return;
            }
        }
        wanted.release();
    }

    private void send() {
        try {
            while (!closed) {
                wanted.acquire();
                TimeUnit.MILLISECONDS.sleep(BATCH_MS);
                Set<WakeUp> work;
                synchronized (waiting) {
                    work = EnumSet.noneOf(WakeUp.class);
                    work.addAll(waiting);
                    waiting.clear();
                }
                if (!work.isEmpty()) {
                    client.wake(directory.others(), work, WAKE_PATIENCE);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed = true;
        sender.interrupt();
    }
}
