package touchline.overlay.page;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one browser that all pages are shown in: started when the first page needs it, started anew
 * when it has ended, ended when no page has needed it for a while. Any thread.
 */
final class BrowserHost implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(BrowserHost.class);
    private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long STEADY_NS = TimeUnit.SECONDS.toNanos(30);

    private final BrowserChoice choice;
    private final boolean allowNoSandbox;

    /** Held during a start, so that all wait for the one that is being made. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition closing = lock.newCondition();

    @GuardedBy("lock")
    private final Backoff backoff = new Backoff(Duration.ofMillis(250), Duration.ofSeconds(5));

    @GuardedBy("lock")
    private @Nullable RunningBrowser current;

    @GuardedBy("lock")
    private int users;

    @GuardedBy("lock")
    private long startedNs;

    @GuardedBy("lock")
    private long idleSinceNs;

    @GuardedBy("lock")
    private long earliestNs = System.nanoTime();

    @GuardedBy("lock")
    private @Nullable String problem;

    @GuardedBy("lock")
    private boolean closed;

    BrowserHost(BrowserChoice choice, boolean allowNoSandbox) {
        this.choice = choice;
        this.allowNoSandbox = allowNoSandbox;
    }

    /**
     * The running browser, started if need be; the caller gives it {@link #back} once.
     *
     * @throws DevToolsException it cannot be started, in a sentence for the operator
     */
    RunningBrowser lend() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            RunningBrowser running = current;
            if (running == null || !running.runs()) {
                running = restarted(running);
            }
            users++;
            return running;
        } finally {
            lock.unlock();
        }
    }

    void back() {
        lock.lock();
        try {
            users--;
            idleSinceNs = System.nanoTime();
        } finally {
            lock.unlock();
        }
    }

    /** The browser, while it runs. */
    Optional<RunningBrowser> running() {
        lock.lock();
        try {
            return Optional.ofNullable(current).filter(RunningBrowser::runs);
        } finally {
            lock.unlock();
        }
    }

    /** Why it could not be started, where that was tried not long ago. */
    Optional<String> problem() {
        lock.lock();
        try {
            boolean old = System.nanoTime() - startedNs > STEADY_NS;
            return old ? Optional.empty() : Optional.ofNullable(problem);
        } finally {
            lock.unlock();
        }
    }

    /** To be called now and then: ends a browser that nobody needs. */
    void tidy() {
        lock.lock();
        try {
            boolean unused = users == 0 && System.nanoTime() - idleSinceNs > IDLE_NS;
            if (current != null && unused) {
                end(current);
                current = null;
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        // Before the lock: a start that is on its way is not waited for.
        running().ifPresent(RunningBrowser::kill);
        lock.lock();
        try {
            closed = true;
            closing.signalAll();
            if (current != null) {
                end(current);
                current = null;
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private RunningBrowser restarted(@Nullable RunningBrowser ended) throws InterruptedException {
        if (ended != null) {
            log.warn("the browser has ended and is started anew");
            end(ended);
            current = null;
            delayNext();
        }
        for (long leftNs = earliestNs - System.nanoTime();
                leftNs > 0 && !closed;
                leftNs = earliestNs - System.nanoTime()) {
            closing.awaitNanos(leftNs);
        }
        RunningBrowser others = current;
        if (others != null && others.runs()) {
            return others;
        }
        if (closed) {
            throw new DevToolsException("the server is ending");
        }
        startedNs = System.nanoTime();
        try {
            RunningBrowser fresh = RunningBrowser.start(choice.launch(), allowNoSandbox);
            current = fresh;
            problem = null;
            log.info("browser started: {}", fresh.facts());
            return fresh;
        } catch (IOException | DevToolsException e) {
            delayNext();
            problem = String.valueOf(e.getMessage());
            throw new DevToolsException(problem, e);
        }
    }

    @GuardedBy("lock")
    private void delayNext() {
        long nowNs = System.nanoTime();
        if (nowNs - startedNs > STEADY_NS) {
            backoff.reset();
        }
        earliestNs = nowNs + backoff.nextNs();
    }

    private static void end(RunningBrowser browser) {
        try {
            browser.close();
        } catch (IOException e) {
            log.warn("ending the browser: {}", e.toString());
        }
    }
}
