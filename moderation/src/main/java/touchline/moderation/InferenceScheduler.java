package touchline.moderation;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import touchline.media.SessionId;
import touchline.media.ffmpeg.VideoFrame;
import touchline.moderation.FrameQueue.Job;

/**
 * Owns the inference thread. Collects frames of all sessions into batches, one frame of each
 * session in turn. Runs each batch through every model that serves a requested type. When the queue
 * is full, the session with most waiting frames loses its oldest one.
 */
final class InferenceScheduler implements AutoCloseable {
    /** An inference that takes longer counts as stuck. */
    private static final long STUCK_NS = TimeUnit.SECONDS.toNanos(10);

    private final long batchWaitNs;
    private final LongSupplier nanoTime;
    private final InternalErrors.Source threadErrors;
    private final InternalErrors.Source changeErrors;
    private final Thread thread = Thread.ofPlatform().name("inference").unstarted(this::run);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final FrameQueue queue;

    @GuardedBy("lock")
    private final Deque<ModelChange> changes = new ArrayDeque<>();

    @GuardedBy("lock")
    private int batchSize = 1;

    @GuardedBy("lock")
    private boolean held = true;

    @GuardedBy("lock")
    private boolean closed;

    @GuardedBy("lock")
    private boolean busy;

    @GuardedBy("lock")
    private long busySinceNs;

    /** The inference thread only. */
    private final LoadedModels models = new LoadedModels();

    /** The result for one frame. */
    sealed interface Outcome {
        /** The models' answers for the requested types. */
        record Analysed(List<Detection> detections, List<FrameReport.Failure> failures)
                implements Outcome {}

        /** Not analysed: the queue was full, the session stopped, or the service closed. */
        record Dropped() implements Outcome {}
    }

    /** A model to install or to remove, on the inference thread. */
    private record ModelChange(String model, Runnable action) {}

    /** The work of one turn: changes, or a batch; both are empty when the thread must end. */
    private record Turn(List<ModelChange> changes, List<Job> batch) {}

    /**
     * Starts the thread. Analysis begins with {@link #release}.
     *
     * @param queueFrames waiting frames at most, over all sessions
     * @param batchWaitNs how long the oldest frame waits for a full batch
     * @param counts of the service, for unexpected exceptions
     */
    InferenceScheduler(
            int queueFrames,
            long batchWaitNs,
            LongSupplier nanoTime,
            InternalErrors errors,
            SampleCounts counts) {
        this.queue = new FrameQueue(queueFrames);
        this.batchWaitNs = batchWaitNs;
        this.nanoTime = nanoTime;
        this.threadErrors = errors.source("inference", counts);
        this.changeErrors = errors.source("model change", counts);
        thread.start();
    }

    /** Begins to analyse: the models of the first scan are installed. */
    void release(int newBatchSize) {
        lock.lock();
        try {
            batchSize = newBatchSize;
            held = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes ownership of the detector; closes an older one of the same name. */
    void install(String name, Set<AlertType> serves, Detector detector) {
        if (!change(name, () -> models.put(name, serves, detector))) {
            detector.close();
        }
    }

    void remove(String name) {
        boolean _ = change(name, () -> models.remove(name));
    }

    /**
     * Queues a frame. The frame is borrowed until the outcome completes: on the inference thread,
     * or on the calling thread when the queue is full.
     */
    CompletableFuture<Outcome> submit(SessionId session, VideoFrame frame, Set<AlertType> types) {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        List<Job> dropped = new ArrayList<>(1);
        lock.lock();
        try {
            Job job = new Job(session, frame, types, nanoTime.getAsLong(), outcome);
            if (closed) {
                dropped.add(job);
            } else {
                queue.add(job).ifPresent(dropped::add);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        drop(dropped);
        return outcome;
    }

    /** Drops the waiting frames of a session. */
    void discard(SessionId session) {
        List<Job> jobs;
        lock.lock();
        try {
            jobs = queue.removeAll(session);
        } finally {
            lock.unlock();
        }
        drop(jobs);
    }

    int waitingFrames() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    /** Seconds that a stuck inference has taken so far; 0 when none is stuck. */
    long stuckSeconds() {
        lock.lock();
        try {
            long busyNs = busy ? nanoTime.getAsLong() - busySinceNs : 0;
            return busyNs > STUCK_NS ? TimeUnit.NANOSECONDS.toSeconds(busyNs) : 0;
        } finally {
            lock.unlock();
        }
    }

    /** Queues a change; false when the thread has ended. */
    private boolean change(String model, Runnable action) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            changes.add(new ModelChange(model, action));
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            for (Turn turn = next();
                    !turn.changes().isEmpty() || !turn.batch().isEmpty();
                    turn = next()) {
                turn.changes().forEach(this::apply);
                if (!turn.batch().isEmpty()) {
                    analyse(turn.batch());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            threadErrors.failed(e);
        } catch (RuntimeException | Error e) {
            threadErrors.failed(e);
        } finally {
            // Also after a failure: neither frames nor models may wait for an ended thread.
            stop();
            remainingChanges().forEach(this::apply);
            apply(new ModelChange("all models", models::close));
        }
    }

    /** Waits for changes or a batch. */
    private Turn next() throws InterruptedException {
        lock.lock();
        try {
            busy = false;
            while (!closed && changes.isEmpty()) {
                long waitNs = nextBatchInNs();
                if (waitNs <= 0) {
                    break;
                } else if (waitNs == Long.MAX_VALUE) {
                    changed.await();
                } else {
                    long _ = changed.awaitNanos(waitNs);
                }
            }
            List<ModelChange> due = List.copyOf(changes);
            changes.clear();
            if (!due.isEmpty() || closed) {
                return new Turn(due, List.of());
            }
            busy = true;
            busySinceNs = nanoTime.getAsLong();
            return new Turn(due, queue.take(batchSize));
        } finally {
            lock.unlock();
        }
    }

    /** Nanoseconds until the next batch is due; 0 when it is due now. */
    @GuardedBy("lock")
    private long nextBatchInNs() {
        Optional<Long> oldestNs = queue.oldestNs();
        if (held || oldestNs.isEmpty()) {
            return Long.MAX_VALUE;
        }
        return queue.size() >= batchSize
                ? 0
                : Math.max(0, oldestNs.get() + batchWaitNs - nanoTime.getAsLong());
    }

    private void apply(ModelChange change) {
        try {
            change.action().run();
            changeErrors.succeeded();
        } catch (RuntimeException | Error e) {
            changeErrors.failed(new DetectorException(change.model() + ": " + e, e));
        }
    }

    private void analyse(List<Job> batch) {
        try {
            List<Outcome> outcomes = models.analyse(batch);
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).outcome().complete(outcomes.get(i));
            }
            threadErrors.succeeded();
        } catch (RuntimeException | Error e) {
            threadErrors.failed(e);
            // Every frame needs an outcome, and the next batch may succeed.
            drop(batch);
        }
    }

    private List<ModelChange> remainingChanges() {
        lock.lock();
        try {
            List<ModelChange> remaining = List.copyOf(changes);
            changes.clear();
            return remaining;
        } finally {
            lock.unlock();
        }
    }

    /** Drops all waiting frames; later ones are dropped as they come. */
    private void stop() {
        List<Job> dropped;
        lock.lock();
        try {
            closed = true;
            dropped = queue.removeAll();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        drop(dropped);
    }

    /** Drops waiting frames, waits up to 5 s for the running inference, closes the models. */
    @Override
    public void close() {
        stop();
        boolean interrupted = false;
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException _) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void drop(List<Job> jobs) {
        jobs.forEach(job -> job.outcome().complete(new Outcome.Dropped()));
    }
}
