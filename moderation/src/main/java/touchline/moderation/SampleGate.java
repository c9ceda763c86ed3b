package touchline.moderation;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
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
 * The gate of a session: a part is published only when a frame taken at or after its last one has
 * passed. A reject discards everything between the last passed frame before it and the next passed
 * one behind it; a review holds what it saw until a later frame decides.
 *
 * <p>Where no verdict comes, the gate stays shut, or opens after a time until the next verdict.
 * Judged by one thread, asked by another; all else by any thread.
 */
final class SampleGate implements PublishBarrier {
    private static final Logger log = LoggerFactory.getLogger(SampleGate.class);

    /** Verdicts that are kept where nobody asks, as with a stream without video. */
    private static final int MAX_VERDICTS = 1_000;

    /** After the stream's end: for the verdicts that are still being worked at. */
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

    /** When the gate opens for want of a verdict; null while nobody waits. */
    @GuardedBy("lock")
    private @Nullable Long opensAtNs;

    @GuardedBy("lock")
    private long intervalNs;

    /** From when on no verdict is to be hoped for; null while frames come. */
    @GuardedBy("lock")
    private @Nullable Long noMoreAtNs;

    @GuardedBy("lock")
    private boolean toldOpen;

    /**
     * @param openAfter how long to wait for a verdict beyond the interval; zero is for ever
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

    /** Parts that are asked about from now on wait for a verdict. */
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

    /** Frames follow, after the start or an earlier end. */
    void moreFrames() {
        lock.lock();
        try {
            noMoreAtNs = null;
        } finally {
            lock.unlock();
        }
    }

    /** Lets everything pass. */
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

    /** What a frame means for the parts before it. */
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
            toldOpen = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** No more frames will come: what waits in vain is discarded soon. */
    void noMore(boolean allJudged) {
        lock.lock();
        try {
            long patienceNs = allJudged ? 0 : LAST_VERDICTS.toNanos();
            noMoreAtNs = nanoTime.getAsLong() + patienceNs;
            wakeIn(patienceNs);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The session is over: nobody waits any longer, and nothing unjudged gets out. */
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
    public Verdict await(long lastPtsUs) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (shut) {
                Verdict verdict = verdict(lastPtsUs);
                if (verdict != null) {
                    return verdict;
                }
                if (closed || isPast(noMoreAtNs)) {
                    return Verdict.DISCARD;
                }
                if (opensBySilence(lastPtsUs)) {
                    return Verdict.PASS;
                }
                changed.await();
            }
            return Verdict.PASS;
        } finally {
            lock.unlock();
        }
    }

    /** Null where no frame at or after the time has decided. */
    @GuardedBy("lock")
    private @Nullable Verdict verdict(long lastPtsUs) {
        for (RiskLevel risk : verdicts.tailMap(lastPtsUs, true).values()) {
            if (risk == RiskLevel.REJECT) {
                return Verdict.DISCARD;
            }
            if (risk == RiskLevel.PASS) {
                RiskLevel before = forgetUpTo(lastPtsUs);
                return before == RiskLevel.REJECT ? Verdict.DISCARD : Verdict.PASS;
            }
        }
        return null;
    }

    /** The last decision before the time; whatever is older is forgotten. */
    @GuardedBy("lock")
    @CanIgnoreReturnValue
    private RiskLevel forgetUpTo(long ptsUs) {
        for (Map.Entry<Long, RiskLevel> entry :
                verdicts.headMap(ptsUs, false).descendingMap().entrySet()) {
            if (entry.getValue() != RiskLevel.REVIEW) {
                RiskLevel decision = entry.getValue();
                verdicts.headMap(entry.getKey(), false).clear();
                return decision;
            }
        }
        return RiskLevel.PASS;
    }

    /** A review is a verdict: it holds however long it takes. */
    @GuardedBy("lock")
    private boolean opensBySilence(long lastPtsUs) {
        if (openAfter.isZero() || !verdicts.tailMap(lastPtsUs, true).isEmpty()) {
            return false;
        }
        long patienceNs = openAfter.toNanos() + intervalNs;
        if (opensAtNs == null) {
            opensAtNs = nanoTime.getAsLong() + patienceNs;
            wakeIn(patienceNs);
        }
        if (!isPast(opensAtNs)) {
            return false;
        }
        if (!toldOpen) {
            toldOpen = true;
            log.warn("session={} the gate opens: no verdict for {}", session, openAfter);
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
