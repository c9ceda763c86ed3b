package touchline.overlay.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a browser paint each page 30 times a second, half as often while nothing changes. Frames
 * are requested one after the other and each is awaited: two at once stop the browser's painting
 * for good. A thread of its own; any thread may add and remove pages.
 */
final class BeginFrames implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(BeginFrames.class);
    private static final long INTERVAL_NS = 1_000_000_000L / 30;
    private static final int STILL_AFTER_FRAMES = 30;

    /**
     * A page that hangs still answers; a browser that does not answer in this time is ended. Longer
     * than the search for a page that hangs, which then is replaced alone.
     */
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);

    private final Browser browser;
    private final Thread thread;

    /** Held while a frame is awaited, so that no page is removed during its frame. */
    private final ReentrantLock lock = new ReentrantLock(/* fair= */ true);

    private final Condition changed = lock.newCondition();

    /** By session: frames since the last change of the page. */
    @GuardedBy("lock")
    private final Map<String, Integer> stillFrames = new LinkedHashMap<>();

    @GuardedBy("lock")
    private boolean closed;

    private BeginFrames(Browser browser) {
        this.browser = browser;
        this.thread = Thread.ofPlatform().daemon().name("page-frames").unstarted(this::run);
    }

    static BeginFrames start(Browser browser) {
        BeginFrames frames = new BeginFrames(browser);
        frames.thread.start();
        return frames;
    }

    void add(String session) {
        lock.lock();
        try {
            stillFrames.put(session, 0);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** After it returns, no frame of this page is awaited or requested. */
    void remove(String session) {
        lock.lock();
        try {
            stillFrames.remove(session);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        long dueNs = System.nanoTime();
        try {
            for (long tick = 0; awaitPages(dueNs); tick++) {
                // A late frame is not caught up on.
                dueNs = Math.max(dueNs + INTERVAL_NS, System.nanoTime());
                for (String session : sessions()) {
                    paint(session, tick);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (DevToolsException e) {
            if (!browser.pipe().ended().isDone()) {
                log.warn("the browser does not paint any more; ending it: {}", e.getMessage());
                browser.kill();
            }
        } catch (RuntimeException | Error e) {
            log.error("painting failed; ending the browser", e);
            browser.kill();
        }
    }

    /** Waits for the time and for a page; false after {@link #close}. */
    private boolean awaitPages(long dueNs) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed) {
                long leftNs = dueNs - System.nanoTime();
                if (stillFrames.isEmpty()) {
                    changed.await();
                } else if (leftNs > 0) {
                    changed.awaitNanos(leftNs);
                } else {
                    return true;
                }
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    private List<String> sessions() {
        lock.lock();
        try {
            return List.copyOf(stillFrames.keySet());
        } finally {
            lock.unlock();
        }
    }

    private void paint(String session, long tick) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            Integer still = stillFrames.get(session);
            if (closed || still == null || (still >= STILL_AFTER_FRAMES && tick % 2 != 0)) {
                return;
            }
            JsonNode reply =
                    browser.pipe()
                            .call(
                                    session,
                                    "HeadlessExperimental.beginFrame",
                                    Map.of("interval", INTERVAL_NS / 1e6),
                                    CALL_TIMEOUT);
            boolean damaged = reply.path("hasDamage").asBoolean();
            stillFrames.put(session, damaged ? 0 : Math.min(still + 1, STILL_AFTER_FRAMES));
        } catch (DevToolsException e) {
            if (browser.pipe().ended().isDone() || e.timedOut()) {
                throw e;
            }
            // The page is gone, or between two documents: its session reports that.
            log.debug("page frame: {}", e.getMessage());
        } finally {
            lock.unlock();
        }
    }
}
