package touchline.packager.hls;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.packager.isobmff.Fragment.Run;
import touchline.packager.isobmff.Fragment.Sample;

/**
 * Queues the units of one track until they go into a part. A unit becomes a sample when the next
 * unit defines its duration, or earlier if a steady frame interval predicts its end. The next
 * sample is decoded from that end, and its duration compensates the error. So samples have no gap,
 * decode times never drift, and presentation times are always the units' own. One thread.
 *
 * <p>With B-frames a unit is presented later than it is decoded. The first sample is decoded when
 * it is presented, so that a track starts with its first frame: the next samples are short until
 * their decode times are the units' own again. The last sample lasts until the last frame has been
 * presented.
 */
final class SampleQueue {
    private static final double DEFAULT_FRAME_US = 33_333;

    /** No encoder reorders frames over a longer time. */
    private static final long MAX_DELAY_US = 1_000_000;

    /** Duration of a sample while its decode time is ahead of its unit's. */
    private static final long SHORT_US = 1_000;

    private final Track track;
    private final ArrayDeque<Sample> ready = new ArrayDeque<>();
    private final FrameIntervalEstimator interval;
    private @Nullable AccessUnit newest;

    /** The newest unit has not become a sample yet. */
    private boolean pending;

    /** Decode time of the next sample: where the last one ended. */
    private long startTicks;

    /** Decode times are not the units' own yet: the first was moved to its presentation. */
    private boolean isAhead;

    /** Latest presentation time. */
    private long latestPtsTicks;

    private long lastDurationTicks;

    SampleQueue(Track track) {
        this.track = track;
        this.interval = new FrameIntervalEstimator(track.timescale());
    }

    Track track() {
        return track;
    }

    /** The unit added last. */
    Optional<AccessUnit> newest() {
        return Optional.ofNullable(newest);
    }

    /** Decode time of the next sample, in microseconds. */
    long startUs() {
        return track.timescale().toUs(startTicks);
    }

    /** Distance of a unit from the newest one; not positive for a late unit. */
    long distanceUs(AccessUnit next) {
        AccessUnit last = newest;
        return last == null ? 0 : next.dtsUs() - last.dtsUs();
    }

    /**
     * Adds a unit later than the newest one. Returns that one as a sample, unless it became a
     * sample before.
     */
    Optional<Sample> complete(AccessUnit next) {
        AccessUnit last = newest;
        boolean wasPending = pending;
        newest = next;
        pending = true;
        long ptsTicks = next.dtsTicks() + delayTicks(next);
        latestPtsTicks = last == null ? ptsTicks : Math.max(latestPtsTicks, ptsTicks);
        if (last == null) {
            startTicks = ptsTicks;
            isAhead = true;
            return Optional.empty();
        }
        lastDurationTicks = next.dtsTicks() - last.dtsTicks();
        interval.add(lastDurationTicks);
        return wasPending ? Optional.of(sample(last, next.dtsTicks())) : Optional.empty();
    }

    /** From decoding to presentation. */
    private long delayTicks(AccessUnit unit) {
        int delay = unit.compositionTimeOffsetTicks();
        return track.timescale().toUs(delay) > MAX_DELAY_US ? 0 : Math.max(0, delay);
    }

    /** Like {@link #complete}, but queues the sample. */
    void queue(AccessUnit next) {
        complete(next).ifPresent(ready::add);
    }

    /** Predicted end of the pending unit; empty if the frame interval is not steady. */
    OptionalLong expectedEndTicks() {
        AccessUnit last = newest;
        OptionalLong step = interval.stepTicks();
        return last == null || !pending || step.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(last.dtsTicks() + step.getAsLong());
    }

    /** Where the newest unit ends, as far as is known; empty without one. */
    OptionalLong nextTicks() {
        AccessUnit last = newest;
        return last == null
                ? OptionalLong.empty()
                : OptionalLong.of(pending ? last.dtsTicks() + usualDurationTicks() : startTicks);
    }

    /** Interval between units, in microseconds; empty if it is not steady. */
    OptionalLong stepUs() {
        OptionalLong step = interval.stepTicks();
        return step.isEmpty() ? step : OptionalLong.of(track.timescale().toUs(step.getAsLong()));
    }

    /** The pending unit with a predicted end. */
    Sample completeAt(long endTicks) {
        AccessUnit last = newest;
        if (last == null || !pending) {
            throw new IllegalStateException("no unit is pending");
        }
        pending = false;
        return sample(last, endTicks);
    }

    /**
     * The pending unit. It ends with the unit presented last, which lasts as long as the unit
     * before it, or as its codec says.
     *
     * @param corrected adjusts the end, in ticks
     */
    Optional<Sample> completeLast(LongUnaryOperator corrected) {
        AccessUnit last = newest;
        return last == null || !pending
                ? Optional.empty()
                : Optional.of(
                        completeAt(corrected.applyAsLong(latestPtsTicks + usualDurationTicks())));
    }

    /** The last sample with an earlier end; the next sample starts there. */
    Sample shorten(Sample made, long endTicks) {
        startTicks = made.decodeTicks();
        return sample(made.unit(), endTicks);
    }

    private Sample sample(AccessUnit unit, long endTicks) {
        long start = startTicks;
        long shortTicks = track.timescale().fromUs(SHORT_US);
        isAhead &= start - unit.dtsTicks() > shortTicks;
        // A unit may start before the predicted end of the unit before it.
        startTicks = Math.max(endTicks, start + (isAhead ? shortTicks : 1));
        return new Sample(unit, start, startTicks - start);
    }

    /**
     * Removes the samples whose units start before a time; the newest unit too, where its end can
     * be predicted.
     */
    private List<Sample> takeBefore(long endUs) {
        OptionalLong newestEnd = expectedEndTicks();
        if (newest != null && newest.dtsUs() < endUs && newestEnd.isPresent()) {
            ready.add(completeAt(newestEnd.getAsLong()));
        }
        List<Sample> taken = new ArrayList<>();
        while (!ready.isEmpty() && ready.getFirst().unit().dtsUs() < endUs) {
            taken.add(ready.removeFirst());
        }
        return taken;
    }

    /**
     * Adds what belongs to a part.
     *
     * @param endUs as of {@link #takeBefore}; {@link Long#MAX_VALUE}: everything
     */
    void addRun(long endUs, List<Run> runs) {
        List<Sample> taken = endUs == Long.MAX_VALUE ? takeAll() : takeBefore(endUs);
        if (!taken.isEmpty()) {
            runs.add(new Run(track, taken));
        }
    }

    /** Removes everything, the pending unit included. */
    private List<Sample> takeAll() {
        completeLast(LongUnaryOperator.identity()).ifPresent(ready::add);
        List<Sample> taken = new ArrayList<>(ready);
        ready.clear();
        return taken;
    }

    /** Drops everything. */
    void clear() {
        newest = null;
        pending = false;
        ready.clear();
        interval.clear();
    }

    private long usualDurationTicks() {
        if (lastDurationTicks > 0) {
            return lastDurationTicks;
        }
        double us = NominalUnit.us(track.codec()).orElse(DEFAULT_FRAME_US);
        return Math.max(1, Math.round(us * track.timescale().ticksPerSecond() / 1e6));
    }
}
