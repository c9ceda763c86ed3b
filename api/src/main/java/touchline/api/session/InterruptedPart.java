package touchline.api.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.AssetId;
import touchline.media.Timeline;
import touchline.packager.hls.MediaBlock;

/**
 * The first part of a session that another node has begun: it goes on with that node's asset, or is
 * another one. What is needed for the first must come from S3. So the media is held in memory until
 * then, for a limited time and up to a limited size. The live stream waits for neither.
 */
final class InterruptedPart implements RecordingPart {
    private static final Logger log = LoggerFactory.getLogger(InterruptedPart.class);

    private final Takeover takeover;
    private final Supplier<RecordingPart> another;
    private final Limits limits;
    private final CompletableFuture<Boolean> prepared = new CompletableFuture<>();
    private final CountDownLatch known = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final HeldMedia held = new HeldMedia();

    /** Takes the media; null until it is known. */
    @GuardedBy("lock")
    private @Nullable RecordingPart target;

    @GuardedBy("lock")
    private End end = End.NONE;

    /** Closed before there was a target: the thread that opens it closes it. */
    @GuardedBy("lock")
    private boolean abandoned;

    private enum End {
        NONE,
        ENDED,
        SUSPENDED
    }

    /** Port: goes on with the recording of another node. Its methods block. */
    interface Takeover {
        AssetId asset();

        /** Brings here what is needed; false if the recording does not go on here. */
        boolean prepare();

        /** The part that goes on with the prepared recording; empty if it must not. */
        Optional<RecordingPart> take();

        /** Removes what was prepared, and is not taken. */
        void discard();
    }

    /**
     * @param prepare how long it may take to bring what is needed
     * @param heldBytes media that may be held; less than a recorder takes at once
     * @param close how long the end of the session waits
     */
    record Limits(Duration prepare, long heldBytes, Duration close) {
        private static final long HELD_BYTES = 48L << 20;
        private static final Duration CLOSE = Duration.ofSeconds(5);

        static Limits within(Duration prepare) {
            return new Limits(prepare, HELD_BYTES, CLOSE);
        }
    }

    private InterruptedPart(Takeover takeover, Supplier<RecordingPart> another, Limits limits) {
        this.takeover = takeover;
        this.another = another;
        this.limits = limits;
    }

    /**
     * Does not block.
     *
     * @param another begins another asset
     * @param executor runs blocking work
     */
    static InterruptedPart open(
            Takeover takeover, Supplier<RecordingPart> another, Limits limits, Executor executor) {
        InterruptedPart part = new InterruptedPart(takeover, another, limits);
        executor.execute(part::prepare);
        executor.execute(part::decide);
        return part;
    }

    private void prepare() {
        boolean isThere = false;
        try {
            isThere = takeover.prepare();
        } finally {
            boolean isInTime = prepared.complete(isThere);
            if (!isThere || !isInTime) {
                takeover.discard();
            }
        }
    }

    private void decide() {
        Optional<RecordingPart> taken = isPrepared() ? takeover.take() : Optional.empty();
        if (taken.isEmpty() && prepared.join()) {
            takeover.discard();
        }
        RecordingPart opened = taken.orElseGet(another);
        boolean isOver;
        lock.lock();
        try {
            held.passTo(opened);
            target = opened;
            switch (end) {
                case NONE -> {}
                case ENDED -> opened.end();
                case SUSPENDED -> opened.suspend();
            }
            isOver = abandoned;
        } finally {
            lock.unlock();
            known.countDown();
        }
        if (isOver) {
            opened.close();
        }
    }

    private boolean isPrepared() {
        try {
            return prepared.get(limits.prepare().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            log.warn("asset={} does not go on here: S3 does not answer in time", takeover.asset());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
        giveUp();
        return prepared.join();
    }

    /** It is another asset, unless all that is needed has come. */
    private void giveUp() {
        boolean _ = prepared.complete(false);
    }

    /** While it is not known, that of the other node: none takes it meanwhile. */
    @Override
    public Optional<AssetId> asset() {
        RecordingPart opened;
        lock.lock();
        try {
            opened = target;
            if (opened == null) {
                return end == End.NONE ? Optional.of(takeover.asset()) : Optional.empty();
            }
        } finally {
            lock.unlock();
        }
        return opened.asset();
    }

    @Override
    public void initSegment(int number, Timeline timeline, MediaBlock bytes) {
        pass(
                media -> media.initSegment(number, timeline, bytes),
                opened -> opened.initSegment(number, timeline, bytes));
    }

    @Override
    public void part(FinishedPart part) {
        pass(media -> media.part(part), opened -> opened.part(part));
    }

    @Override
    public void sealed(SealedSegment segment) {
        pass(media -> media.sealed(segment), opened -> opened.sealed(segment));
    }

    /** Holds media, or passes it to the target, which may wait: without the lock. */
    private void pass(Consumer<HeldMedia> hold, Consumer<RecordingPart> write) {
        RecordingPart opened;
        lock.lock();
        try {
            opened = target;
            if (opened == null) {
                hold.accept(held);
                if (held.sizeBytes() > limits.heldBytes()) {
                    giveUp();
                }
                return;
            }
        } finally {
            lock.unlock();
        }
        write.accept(opened);
    }

    @Override
    public double fullness() {
        RecordingPart opened;
        lock.lock();
        try {
            opened = target;
            if (opened == null) {
                return Math.min(1, (double) held.sizeBytes() / limits.heldBytes());
            }
        } finally {
            lock.unlock();
        }
        return opened.fullness();
    }

    @Override
    public void end() {
        end(End.ENDED);
    }

    @Override
    public void suspend() {
        end(End.SUSPENDED);
    }

    private void end(End how) {
        RecordingPart opened;
        lock.lock();
        try {
            if (end != End.NONE) {
                return;
            }
            end = how;
            opened = target;
            if (opened == null) {
                giveUp();
                return;
            }
        } finally {
            lock.unlock();
        }
        if (how == End.SUSPENDED) {
            opened.suspend();
        } else {
            opened.end();
        }
    }

    @Override
    public void close() {
        end();
        try {
            if (!known.await(limits.close().toMillis(), TimeUnit.MILLISECONDS)) {
                log.warn("asset={} is still being read from S3 or taken over", takeover.asset());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        RecordingPart opened;
        lock.lock();
        try {
            opened = target;
            abandoned = opened == null;
        } finally {
            lock.unlock();
        }
        if (opened != null) {
            opened.close();
        }
    }
}
