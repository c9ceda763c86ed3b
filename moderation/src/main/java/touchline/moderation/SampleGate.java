package touchline.moderation;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.SessionId;
import touchline.media.hub.PublishBarrier;

/**
 * The gate of a session. A part is published when a sample taken at or after its last frame has
 * passed. A reject discards everything between the passed sample before it and the passed sample
 * after it. A review holds the media before it until a later sample decides.
 *
 * <p>Without a verdict the gate stays shut, or opens after a time until the next verdict. The
 * inference thread gives verdicts, the packager's thread waits; other methods: any thread.
 */
final class SampleGate implements PublishBarrier {
    private static final Logger log = LoggerFactory.getLogger(SampleGate.class);

    /** Bound for streams without video, for which the packager never waits. */
    private static final int MAX_VERDICTS = 1_000;

    /** How long parts wait for pending verdicts after the stream's end. */
    private static final Duration LAST_VERDICTS = Duration.ofSeconds(10);

    private final SessionId session;
    private final LongSupplier nanoTime;
    private final ScheduledExecutorService timer;
    private final Duration openAfter;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final NavigableMap<Long, RiskLevel> verdicts = new TreeMap<>();

    @GuardedBy("lock")
    private boolean shut;

    @GuardedBy("lock")
    private boolean closed;

    /** When the gate opens for lack of a verdict; null while no part waits. */
    @GuardedBy("lock")
    private @Nullable Long opensAtNs;

    @GuardedBy("lock")
    private long intervalNs;

    /** From this time on no verdict is expected; null while frames come. */
    @GuardedBy("lock")
    private @Nullable Long verdictsEndAtNs;

    @GuardedBy("lock")
    private boolean openLogged;

    /** No frame can be decoded: the gate never opens for lack of a verdict. */
    @GuardedBy("lock")
    private boolean blind;

    /**
     * @param openAfter how long a part waits for a verdict beyond the interval; zero is unlimited
     */
    SampleGate(
            SessionId session,
            LongSupplier nanoTime,
            ScheduledExecutorService timer,
            Duration openAfter) {
        this.session = session;
        this.nanoTime = nanoTime;
        this.timer = timer;
        this.openAfter = openAfter;
    }

    /** Later parts wait for a verdict. */
    void shut(int intervalSeconds) {
        lock.lock();
        try {
            shut = true;
            intervalNs = TimeUnit.SECONDS.toNanos(intervalSeconds);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isShut() {
        lock.lock();
        try {
            return shut;
        } finally {
            lock.unlock();
        }
    }

    /** Frames follow: at the start, or after an end. */
    void framesExpected() {
        lock.lock();
        try {
            verdictsEndAtNs = null;
        } finally {
            lock.unlock();
        }
    }

    /** While nothing can be decoded the gate stays shut, whatever the time. */
    void blind(boolean now) {
        lock.lock();
        try {
            blind = now;
            opensAtNs = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Lets every part pass. */
    void open() {
        lock.lock();
        try {
            shut = false;
            verdicts.clear();
            opensAtNs = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Gives the verdict on a sample, which decides on the parts before it. */
    void judged(long ptsUs, RiskLevel risk) {
        lock.lock();
        try {
            if (!shut) {
                return;
            }
            verdicts.put(ptsUs, risk);
            if (verdicts.size() > MAX_VERDICTS) {
                verdicts.pollFirstEntry();
            }
            opensAtNs = null;
            openLogged = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * No more frames follow. Parts without a verdict are discarded.
     *
     * @param allJudged discards now; otherwise after 10 s, for pending verdicts
     */
    void framesEnded(boolean allJudged) {
        lock.lock();
        try {
            long waitNs = allJudged ? 0 : LAST_VERDICTS.toNanos();
            verdictsEndAtNs = nanoTime.getAsLong() + waitNs;
            wakeIn(waitNs);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** How many threads wait for a verdict. */
    int waiters() {
        lock.lock();
        try {
            return lock.getWaitQueueLength(changed);
        } finally {
            lock.unlock();
        }
    }

    /** The session has ended: parts without a verdict are discarded at once. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Verdict await(long firstPtsUs, long lastPtsUs) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (shut) {
                Verdict verdict = verdict(firstPtsUs, lastPtsUs);
                if (verdict != null) {
                    return verdict;
                }
                if (closed || isPast(verdictsEndAtNs)) {
                    return Verdict.DISCARD;
                }
                if (opensUnjudged(lastPtsUs)) {
                    return Verdict.PASS;
                }
                changed.await();
            }
            return Verdict.PASS;
        } finally {
            lock.unlock();
        }
    }

    /** Null when no sample at or after the time has decided. */
    @GuardedBy("lock")
    private @Nullable Verdict verdict(long firstPtsUs, long lastPtsUs) {
        for (RiskLevel risk : verdicts.tailMap(lastPtsUs, true).values()) {
            if (risk == RiskLevel.REJECT) {
                return Verdict.DISCARD;
            }
            if (risk == RiskLevel.PASS) {
                return isRejectedIn(firstPtsUs, lastPtsUs) ? Verdict.DISCARD : Verdict.PASS;
            }
        }
        return null;
    }

    /**
     * Whether a reject lies among the frames, or before them without a passed sample in between.
     * Deletes verdicts that no later part needs.
     */
    @GuardedBy("lock")
    private boolean isRejectedIn(long firstPtsUs, long lastPtsUs) {
        for (Map.Entry<Long, RiskLevel> entry :
                verdicts.headMap(lastPtsUs, false).descendingMap().entrySet()) {
            if (entry.getValue() == RiskLevel.REJECT) {
                verdicts.headMap(entry.getKey(), false).clear();
                return true;
            }
            if (entry.getValue() == RiskLevel.PASS && entry.getKey() <= firstPtsUs) {
                verdicts.headMap(entry.getKey(), false).clear();
                return false;
            }
        }
        return false;
    }

    /** Whether the gate opens for lack of a verdict. A review is a verdict: it holds. */
    @GuardedBy("lock")
    private boolean opensUnjudged(long lastPtsUs) {
        if (openAfter.isZero() || blind || !verdicts.tailMap(lastPtsUs, true).isEmpty()) {
            return false;
        }
        long waitNs = openAfter.toNanos() + intervalNs;
        if (opensAtNs == null) {
            opensAtNs = nanoTime.getAsLong() + waitNs;
            wakeIn(waitNs);
        }
        if (!isPast(opensAtNs)) {
            return false;
        }
        if (!openLogged) {
            openLogged = true;
            log.warn("session={} the gate opens: no verdict within {}", session, openAfter);
        }
        return true;
    }

    @GuardedBy("lock")
    private boolean isPast(@Nullable Long atNs) {
        return atNs != null && nanoTime.getAsLong() - atNs >= 0;
    }

    private void wakeIn(long ns) {
        Future<?> _ = timer.schedule(this::wake, ns, TimeUnit.NANOSECONDS);
    }

    private void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
