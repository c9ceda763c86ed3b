package touchline.media.decoding;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.worker.RestartPause;

/**
 * A place for one child process: starts it when a decoder needs it, replaces it after a crash and a
 * pause, and ends it when no decoder has used it for a while. Any thread.
 */
final class ChildSlot implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ChildSlot.class);

    private final Settings settings;
    private final ScheduledExecutorService timer;
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicLong usedBytes = new AtomicLong();
    private final RestartPause pause =
            new RestartPause(Duration.ofMillis(250), Duration.ofSeconds(10));

    @GuardedBy("lock")
    private @Nullable DecodingChild child;

    @GuardedBy("lock")
    private int decoders;

    /** Changes with each use: an idle check that finds another value is late. */
    @GuardedBy("lock")
    private long uses;

    @GuardedBy("lock")
    private boolean closed;

    /** Starts a child. */
    @FunctionalInterface
    interface Starter {
        DecodingChild start() throws IOException;
    }

    /**
     * @param idle an unused child ends after this time
     * @param memoryBytes of the decoders in the child
     */
    record Settings(Starter starter, Duration idle, long memoryBytes, Counts counts) {}

    /** Children since the start of the pool, for metrics. */
    record Counts(AtomicLong started, AtomicLong crashed) {
        Counts() {
            this(new AtomicLong(), new AtomicLong());
        }
    }

    ChildSlot(Settings settings, ScheduledExecutorService timer) {
        this.settings = settings;
        this.timer = timer;
    }

    /** A decoder is opened; balanced by {@link #leave}. */
    void enter() {
        lock.lock();
        try {
            decoders++;
            uses++;
        } finally {
            lock.unlock();
        }
    }

    /** A decoder is closed. */
    void leave() {
        lock.lock();
        try {
            decoders--;
            uses++;
            if (decoders == 0 && child != null && !closed) {
                long now = uses;
                var _ =
                        timer.schedule(
                                () -> endIdle(now),
                                settings.idle().toNanos(),
                                TimeUnit.NANOSECONDS);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the running child, or starts one.
     *
     * @throws DecodingFailedException it crashed a moment ago, or cannot be started
     */
    DecodingChild child() {
        lock.lock();
        try {
            DecodingChild running = child;
            if (running != null && running.isAlive()) {
                return running;
            }
            if (closed) {
                throw new DecodingFailedException("the server is stopping", false);
            }
            if (running != null) {
                crashed(running, "ended between two requests");
            }
            long leftNs = pause.leftNs(System.nanoTime());
            if (leftNs > 0) {
                throw new DecodingFailedException(
                        "the decoding process starts again in %d ms"
                                .formatted(TimeUnit.NANOSECONDS.toMillis(leftNs)),
                        false);
            }
            DecodingChild started = settings.starter().start();
            settings.counts().started().incrementAndGet();
            log.info("decoding process pid={} started", started.pid());
            child = started;
            return started;
        } catch (IOException e) {
            pause.crashed(0, System.nanoTime());
            log.warn("decoding process: {}", e.toString());
            throw new DecodingFailedException("the decoding process does not start", false);
        } finally {
            lock.unlock();
        }
    }

    /**
     * A request to this child failed; if the child has ended, the next one starts after a pause.
     */
    void failed(DecodingChild with, DecodingFailedException cause) {
        if (with.isAlive()) {
            return;
        }
        lock.lock();
        try {
            if (child != with) {
                return;
            }
            crashed(with, String.valueOf(cause.getMessage()));
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void crashed(DecodingChild ended, String reason) {
        child = null;
        pause.crashed(ended.livedNs(), System.nanoTime());
        settings.counts().crashed().incrementAndGet();
        log.warn("decoding process pid={}: {}", ended.pid(), reason);
        ended.close();
    }

    /**
     * Takes memory of the child for a decoder.
     *
     * @throws DecodingRefusedException there is not enough; nothing is taken
     */
    void require(long bytes) {
        long used = usedBytes.addAndGet(bytes);
        if (used > settings.memoryBytes() && bytes > 0) {
            usedBytes.addAndGet(-bytes);
            throw new DecodingRefusedException(
                    DecodingRefusedException.Limit.MEMORY,
                    "decoder memory: %d MiB needed, %d of %d MiB in use in its process"
                                    .formatted(
                                            bytes >> 20,
                                            (used - bytes) >> 20,
                                            settings.memoryBytes() >> 20)
                            + " (media.isolated-decoding)");
        }
    }

    private void endIdle(long usesThen) {
        DecodingChild idle;
        lock.lock();
        try {
            if (uses != usesThen || decoders > 0) {
                return;
            }
            idle = child;
            child = null;
        } finally {
            lock.unlock();
        }
        if (idle != null) {
            log.info("decoding process pid={} ends: unused", idle.pid());
            idle.close();
        }
    }

    /** The process id of the running child. */
    OptionalLong pid() {
        lock.lock();
        try {
            return child == null ? OptionalLong.empty() : OptionalLong.of(child.pid());
        } finally {
            lock.unlock();
        }
    }

    /** Ends the child, also a busy one. Idempotent. */
    @Override
    public void close() {
        DecodingChild last;
        lock.lock();
        try {
            closed = true;
            last = child;
            child = null;
        } finally {
            lock.unlock();
        }
        if (last != null) {
            last.close();
        }
    }
}
