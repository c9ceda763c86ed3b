package touchline.moderation;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import touchline.media.SessionId;
import touchline.media.concurrent.LogContext;

/**
 * The reporting thread of a session and its queue. A slow sink delays neither sampling nor
 * inference. Reports keep their order. Any thread adds. The thread is never interrupted: an
 * interrupt would close the files that a sink writes to.
 */
final class ReportQueue implements AutoCloseable {
    /** Frames in the queue at most; each holds some megabytes. */
    private static final int CAPACITY = 16;

    private final InternalErrors.Source errors;
    private final BlockingQueue<Work> queue = new LinkedBlockingQueue<>();
    private volatile boolean closed;

    /** One entry of the queue. */
    interface Work {
        /** Runs on the reporting thread; may block. */
        void run() throws InterruptedException;

        /** Frees what the entry holds. Called once: after {@link #run} or instead of it. */
        default void release() {}
    }

    /**
     * Starts the thread.
     *
     * @param errors receives what {@link Work#run} throws; closed with the thread
     */
    ReportQueue(SessionId session, InternalErrors.Source errors) {
        this.errors = errors;
        Thread.ofPlatform()
                .name("reports " + session)
                .daemon()
                .start(LogContext.ofSession(session, this::run));
    }

    boolean isFull() {
        return queue.size() >= CAPACITY;
    }

    /** Takes ownership of the entry. */
    void add(Work work) {
        queue.add(work);
        if (closed && queue.remove(work)) {
            work.release();
        }
    }

    private void run() {
        try {
            while (!closed) {
                report(queue.take());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            errors.close();
        }
        for (Work work = queue.poll(); work != null; work = queue.poll()) {
            work.release();
        }
    }

    private void report(Work work) throws InterruptedException {
        try {
            if (!closed) {
                work.run();
                errors.succeeded();
            }
        } catch (RuntimeException | Error e) {
            errors.failed(e);
        } finally {
            work.release();
        }
    }

    /** Does not wait for the thread: the sink itself may call this. */
    @Override
    public void close() {
        closed = true;
        // Wakes the thread.
        queue.add(() -> {});
    }
}
