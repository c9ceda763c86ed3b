package touchline.packager.hls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.packager.hls.SourceEvent.Frame;
import touchline.packager.isobmff.Fragment.Run;
import touchline.packager.isobmff.Fragment.Sample;

/**
 * The units of a rendition that wait for the source's parts to which they belong. One thread reads
 * the feed, another takes units.
 *
 * <p>Timelines of both feeds belong together by {@link Timeline#startedAt}. A unit belongs to the
 * part that holds the source's frame of the same decode time, or of the last one before it. A
 * rendition with decode times of its own is aligned at each key frame, by its presentation time.
 *
 * <p>Holds at most {@value #MAX_BYTES} bytes: then the oldest units are dropped.
 */
final class RenditionUnits {
    private static final long MAX_BYTES = 32L << 20;

    /** Memory of a unit in addition to its payload. */
    private static final int UNIT_BYTES = 128;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final ArrayDeque<Entry> queue = new ArrayDeque<>();

    @GuardedBy("lock")
    private long bytes;

    @GuardedBy("lock")
    private @Nullable Timeline newest;

    @GuardedBy("lock")
    private boolean interrupted;

    @GuardedBy("lock")
    private boolean ended;

    /** Decode times minus those of the source, in ticks. */
    @GuardedBy("lock")
    private long aheadTicks;

    /** The newest one taken. */
    @GuardedBy("lock")
    private @Nullable AccessUnit keyFrame;

    /** Units are missing before the next key frame. */
    @GuardedBy("lock")
    private boolean lost;

    private record Entry(AccessUnit unit, Timeline timeline) {}

    /** Whether the units of a part are there. */
    enum Readiness {
        COMPLETE,
        WAITING,
        /** They will not come: the rendition cannot have this part. */
        NEVER
    }

    /** Called by the reading thread. */
    void accept(FeedItem item) {
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
        if (timeline == null || !unit.track().isVideo()) {
            return;
        }
        queue.add(new Entry(unit, timeline));
        bytes += unit.payload().byteSize() + UNIT_BYTES;
        while (bytes > MAX_BYTES) {
            removeFirst();
            lost = true;
        }
    }

    /** The feed has dropped units. */
    void dropped() {
        lock.lock();
        try {
            lost = true;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Entry removeFirst() {
        Entry first = queue.removeFirst();
        bytes -= first.unit().payload().byteSize() + UNIT_BYTES;
        return first;
    }

    /** Nothing more comes. */
    void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Drops everything; nothing more is taken. */
    void clear() {
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

    /** Track of the timeline that belongs to one of the source. */
    Optional<Track> track(Instant startedAt) {
        lock.lock();
        try {
            for (Entry entry : queue) {
                if (entry.timeline().startedAt().equals(startedAt)) {
                    return entry.timeline().video();
                }
            }
            return newest().filter(last -> last.startedAt().equals(startedAt))
                    .flatMap(Timeline::video);
        } finally {
            lock.unlock();
        }
    }

    /** The newest timeline. */
    Optional<Timeline> newest() {
        lock.lock();
        try {
            return Optional.ofNullable(newest);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until the units of a part are there, or it is known that they never will be.
     *
     * @param video of the part
     * @param startedAt of the source's timeline
     * @param patienceNs wait no longer
     */
    Readiness await(SourceEvent.Video video, Instant startedAt, long patienceNs)
            throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long leftNs = patienceNs;
            Readiness now = readiness(video, startedAt);
            while (now == Readiness.WAITING && leftNs > 0) {
                leftNs = changed.awaitNanos(Math.min(leftNs, TimeUnit.DAYS.toNanos(1)));
                now = readiness(video, startedAt);
            }
            return now;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Readiness readiness(SourceEvent.Video video, Instant startedAt) {
        while (!queue.isEmpty() && queue.getFirst().timeline().startedAt().isBefore(startedAt)) {
            removeFirst();
        }
        boolean over = isOver(startedAt);
        if (video.startsAnew() && !align(video.frames().getFirst(), startedAt)) {
            boolean passed = over || hasKeyFrameAfter(video.frames().getFirst(), startedAt);
            return passed ? Readiness.NEVER : Readiness.WAITING;
        }
        long lastTicks = Long.MIN_VALUE;
        for (Frame frame : video.frames()) {
            lastTicks = frame.repeated() ? lastTicks : frame.dtsTicks();
        }
        if (lost && lastTicks != Long.MIN_VALUE) {
            return Readiness.NEVER;
        }
        return lastTicks == Long.MIN_VALUE || over || reaches(lastTicks, startedAt)
                ? Readiness.COMPLETE
                : Readiness.WAITING;
    }

    /** No more units of the timeline come. */
    @GuardedBy("lock")
    private boolean isOver(Instant startedAt) {
        Timeline last = newest;
        if (ended || last == null) {
            return ended;
        }
        return last.startedAt().isAfter(startedAt)
                || (interrupted && last.startedAt().equals(startedAt));
    }

    /** Drops what is before the key frame that belongs to a frame of the source; false without. */
    @GuardedBy("lock")
    private boolean align(Frame key, Instant startedAt) {
        int before = 0;
        for (Entry entry : queue) {
            AccessUnit unit = entry.unit();
            boolean same = entry.timeline().startedAt().equals(startedAt);
            if (same && unit.idr() && unit.ptsTicks() == key.ptsTicks()) {
                aheadTicks = unit.dtsTicks() - key.dtsTicks();
                lost = false;
                for (int i = 0; i < before; i++) {
                    removeFirst();
                }
                return true;
            }
            before++;
        }
        return false;
    }

    @GuardedBy("lock")
    private boolean hasKeyFrameAfter(Frame key, Instant startedAt) {
        for (Entry entry : queue) {
            boolean same = entry.timeline().startedAt().equals(startedAt);
            if (same && entry.unit().idr() && entry.unit().ptsTicks() > key.ptsTicks()) {
                return true;
            }
        }
        return false;
    }

    @GuardedBy("lock")
    private boolean reaches(long dtsTicks, Instant startedAt) {
        Iterator<Entry> newestFirst = queue.descendingIterator();
        while (newestFirst.hasNext()) {
            Entry entry = newestFirst.next();
            if (entry.timeline().startedAt().equals(startedAt)) {
                return entry.unit().dtsTicks() - aheadTicks >= dtsTicks;
            }
        }
        return false;
    }

    /**
     * Removes the units of a part and makes them samples that last as long as the source's: the
     * first is decoded where the part starts, the last ends where it ends. Presentation times are
     * the units' own.
     */
    Optional<Run> take(SourceEvent.Video video, Instant startedAt) {
        List<AccessUnit> units = new ArrayList<>();
        List<Long> decodeTicks = new ArrayList<>();
        lock.lock();
        try {
            List<Frame> frames = video.frames();
            for (int i = 0; i < frames.size(); i++) {
                Frame frame = frames.get(i);
                AccessUnit repeated = keyFrame;
                if (frame.repeated() && repeated != null) {
                    units.add(RepeatedFrame.of(repeated, frame.dtsTicks()));
                    decodeTicks.add(frame.decodeTicks());
                } else if (!frame.repeated()) {
                    takeUntil(endTicks(video, i), startedAt, frame, units, decodeTicks);
                }
            }
        } finally {
            lock.unlock();
        }
        return units.isEmpty() ? Optional.empty() : Optional.of(run(video, units, decodeTicks));
    }

    /**
     * Units before it belong to a frame: the decode time of its successor. The end of the part's
     * last frame may be a prediction, and later than its successor.
     */
    private static long endTicks(SourceEvent.Video video, int index) {
        List<Frame> frames = video.frames();
        Frame frame = frames.get(index);
        return index + 1 < frames.size()
                ? frames.get(index + 1).dtsTicks()
                : frame.dtsTicks() + Math.max(1, (video.endTicks() - frame.decodeTicks()) / 2);
    }

    @GuardedBy("lock")
    private void takeUntil(
            long untilTicks,
            Instant startedAt,
            Frame frame,
            List<AccessUnit> units,
            List<Long> decodeTicks) {
        while (!queue.isEmpty()
                && queue.getFirst().timeline().startedAt().equals(startedAt)
                && queue.getFirst().unit().dtsTicks() - aheadTicks < untilTicks) {
            AccessUnit unit = removeFirst().unit();
            keyFrame = unit.idr() ? unit : keyFrame;
            long behind = Math.max(0, unit.dtsTicks() - aheadTicks - frame.dtsTicks());
            units.add(unit);
            decodeTicks.add(frame.decodeTicks() + behind);
        }
    }

    private static Run run(
            SourceEvent.Video video, List<AccessUnit> units, List<Long> decodeTicks) {
        List<Sample> samples = new ArrayList<>(units.size());
        long at = video.frames().getFirst().decodeTicks();
        for (int i = 0; i < units.size(); i++) {
            boolean isLast = i + 1 == units.size();
            long end = isLast ? video.endTicks() : Math.max(at + 1, decodeTicks.get(i + 1));
            samples.add(new Sample(units.get(i), at, end - at));
            at = end;
        }
        return new Run(units.getFirst().track(), samples, video.shiftTicks());
    }
}
