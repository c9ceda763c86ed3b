package touchline.overlay.page;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one browser that shows all pages. It starts when the first page needs it, starts again after
 * it has ended, and ends when no page has needed it for a while. Any thread.
 *
 * <p>One of the threads that need a browser starts it, without the lock: a start takes 30 s where
 * the browser hangs. Only threads that need a browser wait for the start.
 */
final class BrowserHost implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(BrowserHost.class);
    private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(30);
    private static final Duration HEALTHY = Duration.ofSeconds(30);
    private static final String CLOSED = "the server is shutting down";

    private final BrowserChoice choice;
    private final boolean allowNoSandbox;

    /** Never held while a browser starts or ends. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();
    private final LongAdder starts = new LongAdder();
    private final LongAdder crashes = new LongAdder();

    @GuardedBy("lock")
    private final Backoff backoff =
            new Backoff(Duration.ofMillis(250), Duration.ofSeconds(5), HEALTHY);

    @GuardedBy("lock")
    private @Nullable RunningBrowser current;

    /** The thread that starts a browser now. */
    @GuardedBy("lock")
    private @Nullable Thread starter;

    @GuardedBy("lock")
    private int failedStarts;

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
     * The running browser; starts one if there is none. The caller calls {@link #release} once.
     *
     * @throws DevToolsException the browser cannot be started; the message is for the operator
     */
    RunningBrowser acquire() throws InterruptedException {
        RunningBrowser ended;
        lock.lockInterruptibly();
        try {
            awaitOtherStart();
            RunningBrowser running = current;
            if (running != null && running.runs()) {
                users++;
                return running;
            }
            starter = Thread.currentThread();
            ended = running;
            current = null;
        } finally {
            lock.unlock();
        }
        RunningBrowser fresh = null;
        try {
            awaitEarliestStart(ended);
            fresh = RunningBrowser.start(choice.launch(), allowNoSandbox);
            starts.increment();
            log.info("browser started: {}", fresh.facts());
        } catch (IOException | DevToolsException e) {
            throw failed(e);
        } finally {
            started(fresh);
        }
        return fresh;
    }

    void release() {
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

    /** Why the last start failed, if it failed a short time ago. */
    Optional<String> problem() {
        lock.lock();
        try {
            boolean old = System.nanoTime() - startedNs > HEALTHY.toNanos();
            return old ? Optional.empty() : Optional.ofNullable(problem);
        } finally {
            lock.unlock();
        }
    }

    /** Browsers that started. */
    long starts() {
        return starts.sum();
    }

    /** Browsers that ended while pages needed them, or that did not start. */
    long crashes() {
        return crashes.sum();
    }

    /** Ends a browser that no page needs; called periodically. */
    void endIfIdle() {
        RunningBrowser unused = null;
        lock.lock();
        try {
            if (users == 0 && System.nanoTime() - idleSinceNs > IDLE_NS) {
                unused = current;
                current = null;
            }
        } finally {
            lock.unlock();
        }
        end(unused);
    }

    /** Ends the browser and interrupts a start. */
    @Override
    public void close() {
        RunningBrowser running;
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
            if (starter != null) {
                starter.interrupt();
            }
            running = current;
            current = null;
        } finally {
            lock.unlock();
        }
        if (running != null) {
            running.kill();
        }
        end(running);
    }

    /** If the start of another thread fails, it fails for this thread too. */
    @GuardedBy("lock")
    private void awaitOtherStart() throws InterruptedException {
        int failedBefore = failedStarts;
        while (starter != null && !closed) {
            changed.await();
        }
        requireOpen();
        if (failedStarts != failedBefore) {
            throw new DevToolsException(String.valueOf(problem));
        }
    }

    private void awaitEarliestStart(@Nullable RunningBrowser ended) throws InterruptedException {
        if (ended != null) {
            crashes.increment();
            log.warn("the browser has ended; starting a new one");
            end(ended);
        }
        lock.lockInterruptibly();
        try {
            if (ended != null) {
                delayNext();
            }
            for (long leftNs = earliestNs - System.nanoTime();
                    leftNs > 0 && !closed;
                    leftNs = earliestNs - System.nanoTime()) {
                changed.awaitNanos(leftNs);
            }
            requireOpen();
            startedNs = System.nanoTime();
        } finally {
            lock.unlock();
        }
    }

    private DevToolsException failed(Exception cause) {
        String message = String.valueOf(cause.getMessage());
        crashes.increment();
        lock.lock();
        try {
            failedStarts++;
            delayNext();
            problem = message;
        } finally {
            lock.unlock();
        }
        return new DevToolsException(message, cause);
    }

    /** The end of a start, good or bad; a browser that is ready after {@link #close} is ended. */
    private void started(@Nullable RunningBrowser fresh) {
        boolean late;
        lock.lock();
        try {
            starter = null;
            late = closed;
            if (fresh != null && !late) {
                current = fresh;
                problem = null;
                users++;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (late && fresh != null) {
            end(fresh);
            throw new DevToolsException(CLOSED);
        }
    }

    @GuardedBy("lock")
    private void requireOpen() {
        if (closed) {
            throw new DevToolsException(CLOSED);
        }
    }

    @GuardedBy("lock")
    private void delayNext() {
        long nowNs = System.nanoTime();
        earliestNs = nowNs + backoff.nextNs(nowNs - startedNs);
    }

    private static void end(@Nullable RunningBrowser browser) {
        if (browser == null) {
            return;
        }
        try {
            browser.close();
        } catch (IOException e) {
            log.warn("ending the browser: {}", e.toString());
        }
    }
}
