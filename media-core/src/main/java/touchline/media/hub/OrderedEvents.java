package touchline.media.hub;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls to the outside, one at a time, in the order in which they were added, and never under the
 * lock of whoever adds them: so a listener may call back into any session without a deadlock.
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
     * Delivers what waits, unless another thread is at it, or this one is inside an event: then
     * that call delivers it.
     */
    void deliver() {
        while (!waiting.isEmpty() && !turn.isHeldByCurrentThread() && turn.tryLock()) {
            drainAndUnlock();
        }
    }

    /** As {@link #deliver}, but returns only when all events added before are over. */
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

    /** A listener that fails is our bug, and no reason to harm the session. */
    private static void run(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException e) {
            log.error("listener failed", e);
        }
    }
}
