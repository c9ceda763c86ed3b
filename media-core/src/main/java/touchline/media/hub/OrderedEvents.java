package touchline.media.hub;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs callbacks one at a time, in the order in which they were added, and never under the lock of
 * the caller. So a listener may call back into any session without a deadlock.
 *
 * <p>{@link #add} is called under the session's lock, which gives the order; {@link #deliver} after
 * it has been released. Any thread.
 */
final class OrderedEvents {
    private static final Logger log = LoggerFactory.getLogger(OrderedEvents.class);

    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final ReentrantLock turn = new ReentrantLock();

    void add(Runnable event) {
        waiting.add(event);
    }

    /**
     * Delivers waiting events, unless another thread does so, or this call comes from an event:
     * then that delivery continues with them.
     */
    void deliver() {
        while (!waiting.isEmpty() && !turn.isHeldByCurrentThread() && turn.tryLock()) {
            drainAndUnlock();
        }
    }

    /** Like {@link #deliver}, but returns after all events added before. */
    void deliverAndWait() {
        if (turn.isHeldByCurrentThread()) {
            return;
        }
        turn.lock();
        drainAndUnlock();
        deliver();
    }

    private void drainAndUnlock() {
        try {
            for (Runnable event = waiting.poll(); event != null; event = waiting.poll()) {
                run(event);
            }
        } finally {
            turn.unlock();
        }
    }

    /** A failing listener is a bug and must not harm the session. */
    private static void run(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException e) {
            log.error("listener failed", e);
        }
    }
}
