package touchline.packager.hls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
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
final class RenditionUnits extends WaitingUnits {
    private static final long MAX_BYTES = 32L << 20;

    /** 2.5 ms. */
    private static final long NEAR_TICKS = 225;

    /** Decode times minus those of the source, in ticks. */
    @GuardedBy("lock")
    private long aheadTicks;

    /** The newest one taken. */
    @GuardedBy("lock")
    private @Nullable AccessUnit keyFrame;

    RenditionUnits() {
        super(MAX_BYTES);
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
    public Optional<Track> track(Instant startedAt) {
        lock.lock();
        try {
            for (Entry entry : queue) {
                if (entry.isOf(startedAt)) {
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
        removeBefore(startedAt);
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

    /** Drops what is before the key frame that belongs to a frame of the source; false without. */
    @GuardedBy("lock")
    private boolean align(Frame key, Instant startedAt) {
        int before = 0;
        for (Entry entry : queue) {
            AccessUnit unit = entry.unit();
            boolean same = entry.isOf(startedAt);
            if (same && unit.idr() && isNear(unit.ptsTicks(), key.ptsTicks())) {
                aheadTicks = unit.dtsTicks() - key.dtsTicks();
                lost = false;
                for (int i = 0; i < before; i++) {
                    AccessUnit _ = removeFirst();
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
            boolean same = entry.isOf(startedAt);
            boolean later = entry.unit().ptsTicks() > key.ptsTicks() + NEAR_TICKS;
            if (same && entry.unit().idr() && later) {
                return true;
            }
        }
        return false;
    }

    @GuardedBy("lock")
    private boolean reaches(long dtsTicks, Instant startedAt) {
        return newestOf(startedAt)
                .filter(unit -> unit.dtsTicks() - aheadTicks >= dtsTicks - NEAR_TICKS)
                .isPresent();
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
                && queue.getFirst().isOf(startedAt)
                && queue.getFirst().unit().dtsTicks() - aheadTicks < untilTicks) {
            AccessUnit unit = atTimesOf(frame, removeFirst());
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
