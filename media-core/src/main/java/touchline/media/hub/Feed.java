package touchline.media.hub;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;

/**
 * Fan-out of one programme: one writer, any number of subscriptions. No subscription slows a writer
 * that sends in real time. A late subscription starts with the current timeline and the current
 * GOP.
 *
 * <p>{@link #offer} and {@link #flush} are called by one thread at a time (the publisher's event
 * loop, or the compositor); everything else by any thread.
 */
public final class Feed {
    /** A larger GOP is not kept: late subscriptions then start with the next key frame. */
    private static final long MAX_GOP_BYTES = 32L << 20;

    private static final int MAX_GOP_UNITS = 10_000;

    private final ReentrantLock lock;
    private final long maxGopBytes;
    private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();

    /** Serves the subscriptions of this feed until {@link #separate}. */
    @GuardedBy("lock")
    private @Nullable Feed shared;

    @GuardedBy("lock")
    private final ArrayDeque<AccessUnit> gop = new ArrayDeque<>();

    @GuardedBy("lock")
    private long gopBytes;

    @GuardedBy("lock")
    private boolean gopComplete;

    @GuardedBy("lock")
    private @Nullable Timeline timeline;

    @GuardedBy("lock")
    private int timelines;

    /** Latest times offered so far. */
    @GuardedBy("lock")
    private long ptsUs = Long.MIN_VALUE;

    @GuardedBy("lock")
    private long dtsUs = Long.MIN_VALUE;

    @GuardedBy("lock")
    private long audioDtsUs = Long.MIN_VALUE;

    @GuardedBy("lock")
    private boolean ended;

    /** Gets every item after the subscriptions. Written under the lock; flush reads without it. */
    private volatile @Nullable ProgramSwitch program;

    public Feed() {
        this(MAX_GOP_BYTES);
    }

    /**
     * @param maxGopBytes a larger GOP is not kept
     */
    Feed(long maxGopBytes) {
        this.lock = new ReentrantLock();
        this.maxGopBytes = maxGopBytes;
    }

    /**
     * A second view of a feed: its subscriptions get the source's items until {@link #separate}.
     * One lock guards both.
     */
    Feed(Feed source) {
        this.lock = source.lock;
        this.maxGopBytes = source.maxGopBytes;
        this.shared = source;
    }

    /** Queues an item for every subscription; {@link #flush} wakes the readers. */
    public void offer(FeedItem item) {
        lock.lock();
        try {
            if (ended) {
                return;
            }
            remember(item);
            for (Subscription subscription : subscriptions) {
                subscription.offer(item);
            }
            ProgramSwitch next = program;
            if (next != null) {
                next.pass(item, timeline);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Wakes the readers: once for each read from the network, not for each unit. */
    public void flush() {
        for (Subscription subscription : subscriptions) {
            subscription.wake();
        }
        ProgramSwitch next = program;
        if (next != null) {
            next.flush();
        }
    }

    /** Fill level of the fullest subscription: 0 to 1. At 1 it drops media. */
    double fullness() {
        double most = 0;
        for (Subscription subscription : subscriptions) {
            most = Math.max(most, subscription.fullness());
        }
        return most;
    }

    /** Ends the feed. Subscriptions return what they hold, then report the end. */
    public void end() {
        lock.lock();
        try {
            ended = true;
            timeline = null;
            clearGop();
            for (Subscription subscription : subscriptions) {
                subscription.end();
            }
            ProgramSwitch next = program;
            if (next != null) {
                next.sourceEnded();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Opens a subscription; the caller closes it.
     *
     * @param name the reader's role in counters and logs
     * @param maxBytes payload that may wait unread; above it units are dropped up to the next key
     *     frame
     */
    public Subscription subscribe(String name, long maxBytes) {
        return subscribe(name, maxBytes, UnitChoice.ALL);
    }

    /** The same for some units only. */
    public Subscription subscribe(String name, long maxBytes, UnitChoice choice) {
        return subscribe(new Subscription(name, maxBytes, choice, this::remove));
    }

    private Subscription subscribe(Subscription subscription) {
        lock.lock();
        try {
            if (shared != null) {
                Subscription _ = shared.subscribe(subscription);
                subscriptions.add(subscription);
                return subscription;
            }
            if (timeline != null) {
                subscription.offer(timeline);
                if (timeline.video().isPresent() && !gopComplete) {
                    subscription.awaitKeyFrame();
                }
                gop.forEach(subscription::offer);
            }
            if (ended) {
                subscription.end();
            } else {
                subscriptions.add(subscription);
            }
            return subscription;
        } finally {
            lock.unlock();
        }
    }

    private void remove(Subscription subscription) {
        lock.lock();
        try {
            subscriptions.remove(subscription);
            if (shared != null) {
                shared.remove(subscription);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Guards this feed, its second view, and the switch between them. */
    ReentrantLock lock() {
        return lock;
    }

    /**
     * Ends the sharing: the source's items go to the switch from now on, and subscriptions get what
     * is offered here. Idempotent.
     */
    void separate(ProgramSwitch next) {
        lock.lock();
        try {
            Feed source = shared;
            if (source != null) {
                shared = null;
                copyState(source);
                source.passTo(next, subscriptions);
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void copyState(Feed source) {
        source.lock.lock();
        try {
            gop.addAll(source.gop);
            gopBytes = source.gopBytes;
            gopComplete = source.gopComplete;
            timeline = source.timeline;
            timelines = source.timelines;
            ptsUs = source.ptsUs;
            dtsUs = source.dtsUs;
            audioDtsUs = source.audioDtsUs;
            ended = source.ended;
        } finally {
            source.lock.unlock();
        }
    }

    private void passTo(ProgramSwitch next, List<Subscription> readers) {
        lock.lock();
        try {
            // In this order a flush meets each reader here or behind the switch.
            program = next;
            subscriptions.removeAll(readers);
        } finally {
            lock.unlock();
        }
    }

    boolean isEnded() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /** The current GOP in decode order, with its audio; empty if it is not complete. */
    List<AccessUnit> gop() {
        lock.lock();
        try {
            return List.copyOf(gop);
        } finally {
            lock.unlock();
        }
    }

    /** What units belong to now; null before the first timeline and while interrupted. */
    @Nullable Timeline timeline() {
        lock.lock();
        try {
            return timeline;
        } finally {
            lock.unlock();
        }
    }

    /** Number of timelines offered so far. */
    int timelines() {
        lock.lock();
        try {
            return timelines;
        } finally {
            lock.unlock();
        }
    }

    /** Latest times offered so far. */
    ProgramSwitch.Passed passed() {
        lock.lock();
        try {
            return new ProgramSwitch.Passed(ptsUs, audioDtsUs);
        } finally {
            lock.unlock();
        }
    }

    /** Latest decode time offered so far; {@link Long#MIN_VALUE} before the first unit. */
    long newestDtsUs() {
        lock.lock();
        try {
            return Math.max(dtsUs, audioDtsUs);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void remember(FeedItem item) {
        switch (item) {
            case Timeline started -> {
                timeline = started;
                timelines++;
                clearGop();
            }
            case Interruption _ -> {
                timeline = null;
                clearGop();
            }
            case AccessUnit unit -> {
                rememberTimes(unit);
                rememberUnit(unit);
            }
        }
    }

    @GuardedBy("lock")
    private void rememberTimes(AccessUnit unit) {
        if (unit.track().isVideo()) {
            ptsUs = Math.max(ptsUs, unit.ptsUs());
            dtsUs = Math.max(dtsUs, unit.dtsUs());
        } else {
            audioDtsUs = Math.max(audioDtsUs, unit.dtsUs());
        }
    }

    @GuardedBy("lock")
    private void rememberUnit(AccessUnit unit) {
        if (timeline == null || timeline.video().isEmpty()) {
            return;
        }
        if (unit.isKeyFrame()) {
            clearGop();
            gopComplete = true;
        }
        if (!gopComplete) {
            return;
        }
        gopBytes += unit.payload().byteSize();
        if (gopBytes > maxGopBytes || gop.size() >= MAX_GOP_UNITS) {
            clearGop();
        } else {
            gop.add(unit);
        }
    }

    @GuardedBy("lock")
    private void clearGop() {
        gop.clear();
        gopBytes = 0;
        gopComplete = false;
    }
}
