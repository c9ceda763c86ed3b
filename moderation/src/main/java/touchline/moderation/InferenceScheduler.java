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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.SessionId;
import touchline.media.ffmpeg.VideoFrame;
import touchline.moderation.FrameQueue.Job;

/**
 * The one inference thread of a device: gathers frames of all sessions into batches, one session
 * after the other, and asks every model that serves what is wanted. What comes too fast pushes the
 * oldest frame of the session that has most waiting out of the queue.
 */
final class InferenceScheduler implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(InferenceScheduler.class);

    /** An inference that takes longer is told of as stuck. */
    private static final long STUCK_NS = TimeUnit.SECONDS.toNanos(10);

    private final long batchWaitNs;
    private final LongSupplier nanoTime;
    private final Thread thread = Thread.ofPlatform().name("inference").unstarted(this::run);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final FrameQueue queue;

    @GuardedBy("lock")
    private final Deque<Runnable> errands = new ArrayDeque<>();

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

    private final LoadedModels models = new LoadedModels();

    /** What became of a frame. */
    sealed interface Outcome {
        /** The models' answers for the asked types. */
        record Analysed(List<Detection> detections, List<FrameReport.Failure> failures)
                implements Outcome {}

        /** It was pushed out of the queue, or the room closed. */
        record Dropped() implements Outcome {}
    }

    /**
     * Starts the thread; nothing is analysed before {@link #release}.
     *
     * @param queueFrames frames that wait at most, over all sessions
     * @param batchWaitNs how long the oldest frame waits for a full batch
     */
    InferenceScheduler(int queueFrames, long batchWaitNs, LongSupplier nanoTime) {
        this.queue = new FrameQueue(queueFrames);
        this.batchWaitNs = batchWaitNs;
        this.nanoTime = nanoTime;
        thread.start();
    }

    /** The models there are have been loaded: what waits for them need not wait longer. */
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

    /** Takes ownership of the detector; one of the same name is closed. */
    void install(String name, Set<AlertType> serves, Detector detector) {
        if (!errand(() -> models.put(name, serves, detector))) {
            detector.close();
        }
    }

    void remove(String name) {
        boolean _ = errand(() -> models.remove(name));
    }

    /**
     * Queues a frame, which is lent until the outcome is there. The outcome comes on the inference
     * thread, or here where the queue is full.
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

    /** Forgets what waits of a session; each outcome is Dropped. */
    void forget(SessionId session) {
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

    /** For how long one inference has been running beyond reason, in seconds; 0 where none has. */
    long stuckSeconds() {
        lock.lock();
        try {
            long busyNs = busy ? nanoTime.getAsLong() - busySinceNs : 0;
            return busyNs > STUCK_NS ? TimeUnit.NANOSECONDS.toSeconds(busyNs) : 0;
        } finally {
            lock.unlock();
        }
    }

    /** False where nothing is run any more. */
    private boolean errand(Runnable errand) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            errands.add(errand);
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            while (true) {
                List<Runnable> due = new ArrayList<>();
                List<Job> batch = next(due);
                due.forEach(Runnable::run);
                if (!batch.isEmpty()) {
                    analyse(batch);
                } else if (due.isEmpty()) {
                    break;
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            models.close();
        }
    }

    /** Waits for errands or a batch; neither where this is closed. */
    private List<Job> next(List<Runnable> due) throws InterruptedException {
        lock.lock();
        try {
            busy = false;
            while (!closed && errands.isEmpty()) {
                long restNs = restNs();
                if (restNs <= 0) {
                    break;
                } else if (restNs == Long.MAX_VALUE) {
                    changed.await();
                } else {
                    long _ = changed.awaitNanos(restNs);
                }
            }
            due.addAll(errands);
            errands.clear();
            if (!due.isEmpty() || closed) {
                return List.of();
            }
            busy = true;
            busySinceNs = nanoTime.getAsLong();
            return queue.take(batchSize);
        } finally {
            lock.unlock();
        }
    }

    /** Until a batch is to be analysed; 0 is now. */
    @GuardedBy("lock")
    private long restNs() {
        Optional<Long> oldestNs = queue.oldestNs();
        if (held || oldestNs.isEmpty()) {
            return Long.MAX_VALUE;
        }
        return queue.size() >= batchSize
                ? 0
                : Math.max(0, oldestNs.get() + batchWaitNs - nanoTime.getAsLong());
    }

    private void analyse(List<Job> batch) {
        try {
            List<Outcome> outcomes = models.analyse(batch);
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).outcome().complete(outcomes.get(i));
            }
        } catch (RuntimeException | Error e) {
            // Whoever waits must not wait for ever, and other frames may fare better.
            log.error("inference failed", e);
            drop(batch);
        }
    }

    /** Waits for the running inference; what waits is dropped, the models are closed. */
    @Override
    public void close() {
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
