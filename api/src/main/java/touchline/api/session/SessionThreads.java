package touchline.api.session;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.concurrent.LogContext;

/** The virtual threads of running sessions, one each. Any thread. */
final class SessionThreads {
    private static final Logger log = LoggerFactory.getLogger(SessionThreads.class);

    private final ConcurrentHashMap<SessionId, Thread> threads = new ConcurrentHashMap<>();

    /** Runs a session on a thread of its own. */
    void start(StreamId stream, SessionId session, Runnable work) {
        Runnable whole =
                () -> {
                    try {
                        work.run();
                    } finally {
                        threads.remove(session);
                    }
                };
        Thread thread =
                Thread.ofVirtual()
                        .name("session-" + session)
                        .unstarted(LogContext.session(stream, session, whole));
        threads.put(session, thread);
        thread.start();
    }

    /**
     * Waits for all of them, and interrupts those that are late.
     *
     * @return false if this thread was interrupted
     */
    boolean await(Duration atMost) {
        long deadlineNs = System.nanoTime() + atMost.toNanos();
        for (Thread thread : List.copyOf(threads.values())) {
            try {
                if (!thread.join(Duration.ofNanos(Math.max(1, deadlineNs - System.nanoTime())))) {
                    log.warn("{} has not ended in time; shutdown continues", thread.getName());
                    thread.interrupt();
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }
}
