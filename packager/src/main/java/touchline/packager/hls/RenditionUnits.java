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
 * Frames of a rendition beside the source's. A unit belongs to the part that holds the source's
 * frame of the same decode time, or of the last one before it. A rendition with decode times of its
 * own is aligned at each key frame, by its presentation time.
 *
 * <p>Times that differ by less than {@link #NEAR_TICKS} are the same: tracks of one publisher are
 * rounded to milliseconds, and the source is smoothed. The rendition gets the source's.
 *
 * <p>Holds at most {@value #MAX_BYTES} bytes: then the oldest units are dropped.
 */
final class RenditionUnits implements RenditionMedia {
    private static final long MAX_BYTES = 32L << 20;

    /** 2.5 ms. */
    private static final long NEAR_TICKS = 225;

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

    @Override
    public void dropped() {
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

    @Override
    public boolean isVideo() {
        return true;
    }

    @Override
    public boolean canStart(SourceEvent.Part part) {
        return part.video().startsAnew();
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
    public Optional<Track> track(Instant startedAt) {
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

    @Override
    public Optional<Timeline> newest() {
        lock.lock();
        try {
            return Optional.ofNullable(newest);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Readiness await(SourceEvent.Part part, SourceEvent.Init init, long patienceNs)
            throws InterruptedException {
        SourceEvent.Video video = part.video();
        Instant startedAt = init.timeline().startedAt();
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
            if (same && unit.idr() && isNear(unit.ptsTicks(), key.ptsTicks())) {
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
            boolean later = entry.unit().ptsTicks() > key.ptsTicks() + NEAR_TICKS;
            if (same && entry.unit().idr() && later) {
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
                return entry.unit().dtsTicks() - aheadTicks >= dtsTicks - NEAR_TICKS;
            }
        }
        return false;
    }

    private static boolean isNear(long ticks, long other) {
        return Math.abs(ticks - other) <= NEAR_TICKS;
    }

    /**
     * {@inheritDoc}
     *
     * <p>They last as long as the source's: the first is decoded where the part starts, the last
     * ends where it ends. Presentation times are the units' own.
     */
    @Override
    public Optional<Run> take(SourceEvent.Part part, SourceEvent.Init init) {
        SourceEvent.Video video = part.video();
        Instant startedAt = init.timeline().startedAt();
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
                ? Math.max(frame.dtsTicks() + 1, frames.get(index + 1).dtsTicks() - NEAR_TICKS)
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
            AccessUnit unit = atTimesOf(frame, removeFirst().unit());
            keyFrame = unit.idr() ? unit : keyFrame;
            long behind = unit.dtsTicks() - aheadTicks - frame.dtsTicks();
            units.add(unit);
            decodeTicks.add(frame.decodeTicks() + (behind > NEAR_TICKS ? behind : 0));
        }
    }

    private static AccessUnit atTimesOf(Frame frame, AccessUnit unit) {
        long ptsTicks = unit.ptsTicks();
        return ptsTicks != frame.ptsTicks() && isNear(ptsTicks, frame.ptsTicks())
                ? unit.at(
                        unit.track(),
                        unit.dtsTicks(),
                        Math.toIntExact(frame.ptsTicks() - unit.dtsTicks()))
                : unit;
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
