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
 * Fan-out of one programme: one writer, any number of subscriptions, none of which can slow a
 * writer that keeps to the clock. A late subscriber begins with the current timeline and the
 * current group of frames.
 *
 * <p>{@link #offer} and {@link #flush} are called by one thread at a time (the publisher's event
 * loop, or the compositor); everything else by any thread.
 */
public final class Feed {
    /** Beyond this the group of frames is not kept, and late subscribers wait for the next. */
    private static final long MAX_GOP_BYTES = 32L << 20;

    private static final int MAX_GOP_UNITS = 10_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
    private final @Nullable ProgramSwitch program;

    @GuardedBy("lock")
    private final ArrayDeque<AccessUnit> gop = new ArrayDeque<>();

    @GuardedBy("lock")
    private long gopBytes;

    @GuardedBy("lock")
    private boolean gopComplete;

    @GuardedBy("lock")
    private @Nullable Timeline timeline;

    @GuardedBy("lock")
    private boolean ended;

    /** A feed that nothing hangs on but its subscriptions. */
    public Feed() {
        this.program = null;
    }

    /**
     * A session's source.
     *
     * @param program gets every item after the subscriptions, under this feed's lock
     */
    Feed(ProgramSwitch program) {
        this.program = program;
    }

    /** Queues an item for every subscription; they are woken by {@link #flush}. */
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
            if (program != null) {
                program.pass(item);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Wakes the subscribers: once for each read from the network, not for each unit. */
    public void flush() {
        for (Subscription subscription : subscriptions) {
            subscription.wake();
        }
        if (program != null) {
            program.flush();
        }
    }

    /** How near the slowest subscription is to dropping media: 0 to 1. */
    double fullness() {
        double most = 0;
        for (Subscription subscription : subscriptions) {
            most = Math.max(most, subscription.fullness());
        }
        return most;
    }

    /** Nothing follows; subscriptions hand out what they hold and then report the end. */
    public void end() {
        lock.lock();
        try {
            ended = true;
            timeline = null;
            forgetGop();
            for (Subscription subscription : subscriptions) {
                subscription.end();
            }
            if (program != null) {
                program.sourceEnded();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * A new reading end; the caller closes it.
     *
     * @param name the reader's role, as counters and logs name it
     * @param maxBytes payload that may wait unread before units are dropped up to the next key
     *     frame
     */
    public Subscription subscribe(String name, long maxBytes) {
        lock.lock();
        try {
            Subscription subscription = new Subscription(name, maxBytes, subscriptions::remove);
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

    @GuardedBy("lock")
    private void remember(FeedItem item) {
        switch (item) {
            case Timeline started -> {
                timeline = started;
                forgetGop();
            }
            case Interruption _ -> {
                timeline = null;
                forgetGop();
            }
            case AccessUnit unit -> rememberUnit(unit);
        }
    }

    @GuardedBy("lock")
    private void rememberUnit(AccessUnit unit) {
        if (timeline == null || timeline.video().isEmpty()) {
            return;
        }
        if (unit.isKeyFrame()) {
            forgetGop();
            gopComplete = true;
        }
        if (!gopComplete) {
            return;
        }
        gopBytes += unit.payload().byteSize();
        if (gopBytes > MAX_GOP_BYTES || gop.size() >= MAX_GOP_UNITS) {
            forgetGop();
        } else {
            gop.add(unit);
        }
    }

    @GuardedBy("lock")
    private void forgetGop() {
        gop.clear();
        gopBytes = 0;
        gopComplete = false;
    }
}
