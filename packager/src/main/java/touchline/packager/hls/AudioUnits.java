package touchline.packager.hls;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.packager.isobmff.Fragment.Run;
import touchline.packager.isobmff.Fragment.Sample;

/**
 * Further audio beside the source. A unit belongs to the part that holds its decode time, like the
 * source's own audio; what starts before the first frame is left out.
 *
 * <p>Holds at most {@value #MAX_BYTES} bytes: more are an end of the rendition.
 */
final class AudioUnits extends WaitingUnits {
    private static final long MAX_BYTES = 8L << 20;

    // Used by the taking thread only.
    private @Nullable SampleQueue samples;
    private @Nullable Instant samplesOf;

    /**
     * What is before the first part is left out; later, what comes late goes into the next part.
     */
    private boolean begun;

    AudioUnits() {
        super(MAX_BYTES);
    }

    @Override
    public boolean isVideo() {
        return false;
    }

    @Override
    public boolean canStart(SourceEvent.Part part) {
        return true;
    }

    @Override
    public Optional<Track> track(Instant startedAt) {
        lock.lock();
        try {
            for (Entry entry : queue) {
                if (entry.isOf(startedAt)) {
                    return Optional.of(entry.unit().track());
                }
            }
            return newest().filter(last -> last.startedAt().equals(startedAt))
                    .flatMap(Timeline::audio);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Readiness await(SourceEvent.Part part, SourceEvent.Init init, long patienceNs)
            throws InterruptedException {
        Instant startedAt = init.timeline().startedAt();
        long endUs = init.shift().mediaUs(part.startUs() + part.durationUs());
        lock.lockInterruptibly();
        try {
            long leftNs = patienceNs;
            while (true) {
                removeBefore(startedAt);
                if (lost) {
                    return Readiness.NEVER;
                }
                if (isOver(startedAt)
                        || newestOf(startedAt).filter(unit -> unit.dtsUs() >= endUs).isPresent()) {
                    return Readiness.COMPLETE;
                }
                if (leftNs <= 0) {
                    return Readiness.WAITING;
                }
                leftNs = changed.awaitNanos(Math.min(leftNs, TimeUnit.DAYS.toNanos(1)));
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<Run> take(SourceEvent.Part part, SourceEvent.Init init) {
        Instant startedAt = init.timeline().startedAt();
        long endUs = init.shift().mediaUs(part.startUs() + part.durationUs());
        boolean all = fill(endUs, startedAt);
        SampleQueue filled = samples;
        if (filled == null) {
            return Optional.empty();
        }
        List<Run> runs = new ArrayList<>(1);
        filled.addRun(all ? Long.MAX_VALUE : endUs, runs);
        long fromUs = begun ? Long.MIN_VALUE : init.shift().mediaUs(part.startUs());
        Optional<Run> taken =
                runs.isEmpty() ? Optional.empty() : within(runs.getFirst(), fromUs, init.shift());
        begun |= taken.isPresent();
        return taken;
    }

    /**
     * Moves the units of a part to the samples, and the one behind it.
     *
     * @return true if there are none behind it, and none come
     */
    private boolean fill(long endUs, Instant startedAt) {
        lock.lock();
        try {
            SampleQueue target = samples;
            while (!queue.isEmpty() && queue.getFirst().isOf(startedAt)) {
                Entry first = queue.getFirst();
                if (target == null || !startedAt.equals(samplesOf)) {
                    target = new SampleQueue(first.unit().track());
                    samples = target;
                    samplesOf = startedAt;
                }
                AccessUnit before = target.newest().orElse(null);
                if (before != null && before.dtsUs() >= endUs) {
                    return false;
                }
                AccessUnit unit = removeFirst();
                if (before == null || target.distanceUs(unit) > 0) {
                    target.queue(unit);
                }
            }
            if (!startedAt.equals(samplesOf)) {
                samples = null;
                return false;
            }
            return isOver(startedAt)
                    && target != null
                    && target.newest().filter(last -> last.dtsUs() >= endUs).isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private static Optional<Run> within(Run run, long fromUs, SourceEvent.Shift shift) {
        List<Sample> samples = run.samples();
        long firstUs = Math.max(fromUs, shift.firstUs());
        int from = 0;
        while (from < samples.size() && samples.get(from).unit().ptsUs() < firstUs) {
            from++;
        }
        return from == samples.size()
                ? Optional.empty()
                : Optional.of(
                        new Run(
                                run.track(),
                                samples.subList(from, samples.size()),
                                shift.ticks(run.track().timescale())));
    }
}
