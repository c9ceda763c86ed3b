package touchline.api.audit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.SampledFrames;
import touchline.api.db.SampledFrames.Appended;
import touchline.api.domain.SampledFrame;

/**
 * Scores of sampled frames of all sessions, on their way into the database: one statement a second
 * stores those of all. A crash loses at most those of the last second. While the database fails a
 * limited number waits; then the oldest are dropped and counted. Any thread adds; a virtual thread
 * writes, and so does each caller of {@link #flush}.
 */
final class ScoreBuffer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ScoreBuffer.class);

    /** A frame each second of 400 sessions, for almost a minute; about 5 MB. */
    static final int MOST_WAITING = 20_000;

    private static final Duration EVERY = Duration.ofSeconds(1);

    /** Frames of one statement. */
    private static final int AT_ONCE = 2_000;

    private final SampledFrames frames;
    private final LongAdder lost = new LongAdder();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread = Thread.ofVirtual().name("moderation-scores").unstarted(this::run);

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private boolean closed;

    /** Held while frames are written, so that those of a run stay in order. */
    private final ReentrantLock writing = new ReentrantLock();

    /** Taken out of {@link #waiting}, but not stored. */
    @GuardedBy("writing")
    private List<Waiting> taken = List.of();

    /**
     * The rows of {@link #taken}, once they are made: the same are stored again after a failure.
     */
    @GuardedBy("writing")
    private List<Appended> rows = List.of();

    // Used by the writing thread only.
    private boolean failing;

    private record Waiting(RunningAudit run, SampledFrame frame) {}

    ScoreBuffer(SampledFrames frames) {
        this.frames = frames;
    }

    void start() {
        thread.start();
    }

    /** Never waits for the database. After the close it does nothing. */
    void add(RunningAudit run, SampledFrame frame) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            if (waiting.size() == MOST_WAITING) {
                waiting.removeFirst();
                lost.increment();
            }
            waiting.add(new Waiting(run, frame));
        } finally {
            lock.unlock();
        }
    }

    /** Frames that were dropped because the database failed. */
    long lost() {
        return lost.sum();
    }

    /** Frames that are to be written. */
    int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Stores all that was added before this call.
     *
     * @throws touchline.api.db.DatabaseException if the database fails; a later call goes on
     */
    void flush() {
        writing.lock();
        try {
            int left = waiting();
            do {
                write();
                taken = take(Math.min(left, AT_ONCE));
                left -= taken.size();
            } while (!taken.isEmpty());
        } finally {
            writing.unlock();
        }
    }

    @GuardedBy("writing")
    private void write() {
        if (rows.isEmpty() && !taken.isEmpty()) {
            rows = rowsOf(taken);
        }
        frames.append(rows);
        taken = List.of();
        rows = List.of();
    }

    private List<Waiting> take(int most) {
        List<Waiting> some = new ArrayList<>();
        lock.lock();
        try {
            while (some.size() < most && !waiting.isEmpty()) {
                some.add(waiting.removeFirst());
            }
        } finally {
            lock.unlock();
        }
        return some;
    }

    private static List<Appended> rowsOf(List<Waiting> all) {
        Map<RunningAudit, List<SampledFrame>> byRun = new LinkedHashMap<>();
        for (Waiting each : all) {
            byRun.computeIfAbsent(each.run(), _ -> new ArrayList<>()).add(each.frame());
        }
        // May fail: so before a run counts its frames.
        byRun.keySet().forEach(RunningAudit::taskId);
        List<Appended> rows = new ArrayList<>();
        byRun.forEach((run, some) -> rows.addAll(run.rows(some)));
        return rows;
    }

    private void run() {
        try {
            while (!stopping.await(EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                flushOrLog();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void flushOrLog() {
        try {
            flush();
            if (failing) {
                log.info("scores of sampled frames are stored again");
            }
            failing = false;
        } catch (RuntimeException e) {
            if (!failing) {
                log.warn("scores of sampled frames wait: {}", e.getMessage());
            }
            failing = true;
        }
    }

    /** Stores what waits; what the database does not take is lost. */
    @Override
    public void close() {
        stopping.countDown();
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        try {
            flush();
        } catch (RuntimeException e) {
            int left = waiting() + unsettled();
            lost.add(left);
            log.warn("scores of {} sampled frames are lost: {}", left, e.getMessage());
        }
    }

    private int unsettled() {
        writing.lock();
        try {
            return taken.size();
        } finally {
            writing.unlock();
        }
    }
}
