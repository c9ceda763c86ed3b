package touchline.moderation;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.SessionId;

/**
 * The reporting thread of a session: hands over what is finished, in order, so that a slow sink
 * holds up neither sampling nor inference. Any thread adds. Never interrupted, since a sink writes
 * to files that an interrupt would close.
 */
final class ReportQueue implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ReportQueue.class);

    /** Frames under way at most; each is some megabytes. */
    private static final int CAPACITY = 16;

    private final SessionId session;
    private final BlockingQueue<Work> queue = new LinkedBlockingQueue<>();
    private volatile boolean closed;

    /** Something to be done by the reporting thread, in its turn. */
    interface Work {
        /** May wait. */
        void run() throws InterruptedException;

        /** Frees what it holds, after {@link #run} or instead of it. */
        default void release() {}
    }

    ReportQueue(SessionId session) {
        this.session = session;
        Thread.ofPlatform().name("reports " + session).daemon().start(this::run);
    }

    boolean isFull() {
        return queue.size() >= CAPACITY;
    }

    /** Takes ownership of the work, however it ends. */
    void add(Work work) {
        queue.add(work);
        if (closed && queue.remove(work)) {
            work.release();
        }
    }

    private void run() {
        try {
            while (!closed) {
                Work work = queue.take();
                try {
                    if (!closed) {
                        work.run();
                    }
                } catch (RuntimeException e) {
                    log.error("session={} a report failed", session, e);
                } finally {
                    work.release();
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        for (Work work = queue.poll(); work != null; work = queue.poll()) {
            work.release();
        }
    }

    /** Does not wait: it may be called by the sink itself. */
    @Override
    public void close() {
        closed = true;
        // Wakes the thread.
        queue.add(() -> {});
    }
}
