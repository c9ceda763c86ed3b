package touchline.packager.hls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;

/**
 * Units of one kind that wait for the parts of the source they belong to, with their timelines.
 * Above a number of bytes the oldest are dropped, and {@link #lost} says so.
 */
abstract class WaitingUnits implements RenditionMedia {
    /** Memory of a unit in addition to its payload. */
    private static final int UNIT_BYTES = 128;

    final ReentrantLock lock = new ReentrantLock();
    final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    final ArrayDeque<Entry> queue = new ArrayDeque<>();

    /** Units are missing. */
    @GuardedBy("lock")
    boolean lost;

    private final long maxBytes;

    @GuardedBy("lock")
    private long bytes;

    @GuardedBy("lock")
    private @Nullable Timeline newest;

    @GuardedBy("lock")
    private boolean interrupted;

    @GuardedBy("lock")
    private boolean ended;

    record Entry(AccessUnit unit, Timeline timeline) {
        boolean isOf(Instant startedAt) {
            return timeline.startedAt().equals(startedAt);
        }
    }

    WaitingUnits(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    @Override
    public void accept(FeedItem item) {
        lock.lock();
        try {
            switch (item) {
                case Timeline started -> {
                    newest = started;
                    interrupted = false;
                }
                case Interruption _ -> interrupted = true;
                case AccessUnit unit -> add(unit);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void add(AccessUnit unit) {
        Timeline timeline = newest;
        if (timeline == null || unit.track().isVideo() != isVideo()) {
            return;
        }
        queue.add(new Entry(unit, timeline));
        bytes += unit.payload().byteSize() + UNIT_BYTES;
        while (bytes > maxBytes) {
            AccessUnit _ = removeFirst();
            lost = true;
        }
    }

    @GuardedBy("lock")
    final AccessUnit removeFirst() {
        AccessUnit first = queue.removeFirst().unit();
        bytes -= first.payload().byteSize() + UNIT_BYTES;
        return first;
    }

    /** Drops the units of earlier timelines. */
    @GuardedBy("lock")
    final void removeBefore(Instant startedAt) {
        while (!queue.isEmpty() && queue.getFirst().timeline().startedAt().isBefore(startedAt)) {
            AccessUnit _ = removeFirst();
        }
    }

    /** The newest unit of a timeline that waits. */
    @GuardedBy("lock")
    final Optional<AccessUnit> newestOf(Instant startedAt) {
        Iterator<Entry> newestFirst = queue.descendingIterator();
        while (newestFirst.hasNext()) {
            Entry entry = newestFirst.next();
            if (entry.isOf(startedAt)) {
                return Optional.of(entry.unit());
            }
        }
        return Optional.empty();
    }

    /** No more units of the timeline come. */
    @GuardedBy("lock")
    final boolean isOver(Instant startedAt) {
        Timeline last = newest;
        if (ended || last == null) {
            return ended;
        }
        return last.startedAt().isAfter(startedAt)
                || (interrupted && last.startedAt().equals(startedAt));
    }

    @Override
    public void dropped() {
        lock.lock();
        try {
            lost = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void clear() {
        lock.lock();
        try {
            queue.clear();
            bytes = 0;
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<Timeline> newest() {
        lock.lock();
        try {
            return Optional.ofNullable(newest);
        } finally {
            lock.unlock();
        }
    }
}
