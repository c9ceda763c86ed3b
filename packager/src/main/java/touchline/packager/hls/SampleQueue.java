package touchline.packager.hls;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Track;
import touchline.packager.isobmff.Fragment.Sample;
import touchline.packager.isobmff.VideoFormat;

/**
 * The units of one track on their way into a part. A unit becomes a sample when the next one tells
 * how long it lasts, or before that, with the end that a steady cadence predicts. Then the next
 * sample is decoded from that end on, and its own duration leads back to the publisher's times: the
 * samples have no gap, decode times never drift, and presentation times are always the units' own.
 * One thread.
 */
final class SampleQueue {
    private static final double DEFAULT_FRAME_RATE = 30;
    private static final int OPUS_FRAMES_PER_SECOND = 50;

    /** MPEG-1 layer III; half as many at the lower rates of MPEG-2. */
    private static final int MP3_SAMPLES = 1152;

    private static final int MPEG1_MIN_HZ = 32_000;

    private final Track track;
    private final ArrayDeque<Sample> ready = new ArrayDeque<>();
    private final FrameIntervalEstimator cadence;
    private @Nullable AccessUnit newest;

    /** The newest unit is not a sample yet. */
    private boolean pending;

    /** Decode time of the next sample: where the last one ended. */
    private long startTicks;

    private long lastDurationTicks;

    SampleQueue(Track track) {
        this.track = track;
        this.cadence = new FrameIntervalEstimator(track.timescale());
    }

    Track track() {
        return track;
    }

    /** The unit taken last. */
    Optional<AccessUnit> newest() {
        return Optional.ofNullable(newest);
    }

    /** Decode time of the next sample, in microseconds. */
    long startUs() {
        return track.timescale().toUs(startTicks);
    }

    /** How far a unit lies behind the newest one; not positive for one that is late. */
    long distanceUs(AccessUnit next) {
        AccessUnit last = newest;
        return last == null ? 0 : next.dtsUs() - last.dtsUs();
    }

    /**
     * Takes a unit that comes later than the newest one, and returns that one as a sample, unless
     * it has become one before; it is not kept here.
     */
    Optional<Sample> complete(AccessUnit next) {
        AccessUnit last = newest;
        boolean wasPending = pending;
        newest = next;
        pending = true;
        if (last == null) {
            startTicks = next.dtsTicks();
            return Optional.empty();
        }
        lastDurationTicks = next.dtsTicks() - last.dtsTicks();
        cadence.add(lastDurationTicks);
        return wasPending ? Optional.of(sample(last, next.dtsTicks())) : Optional.empty();
    }

    /** Like {@link #complete}, but the sample waits here. */
    void queue(AccessUnit next) {
        complete(next).ifPresent(ready::add);
    }

    /** Where the pending unit ends if the cadence goes on; empty where it is not steady. */
    OptionalLong expectedEndTicks() {
        AccessUnit last = newest;
        OptionalLong step = cadence.stepTicks();
        return last == null || !pending || step.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(last.dtsTicks() + step.getAsLong());
    }

    /** From unit to unit, in microseconds; empty where that is not steady. */
    OptionalLong stepUs() {
        OptionalLong step = cadence.stepTicks();
        return step.isEmpty() ? step : OptionalLong.of(track.timescale().toUs(step.getAsLong()));
    }

    /** The pending unit, with an end that the next one has not told yet. */
    Sample completeAt(long endTicks) {
        AccessUnit last = newest;
        if (last == null || !pending) {
            throw new IllegalStateException("no unit waits");
        }
        pending = false;
        return sample(last, endTicks);
    }

    /**
     * The pending unit, with the duration of the one before it or of its codec.
     *
     * @param corrected what becomes of the end in ticks
     */
    Optional<Sample> completeLast(LongUnaryOperator corrected) {
        AccessUnit last = newest;
        return last == null || !pending
                ? Optional.empty()
                : Optional.of(
                        completeAt(corrected.applyAsLong(last.dtsTicks() + usualDurationTicks())));
    }

    /** The sample made last with an earlier end, which the next one starts at. */
    Sample shorten(Sample made, long endTicks) {
        startTicks = made.decodeTicks();
        return sample(made.unit(), endTicks);
    }

    private Sample sample(AccessUnit unit, long endTicks) {
        long start = startTicks;
        // A unit may lie before the end that was predicted for the one before it.
        startTicks = Math.max(endTicks, start + 1);
        return new Sample(unit, start, startTicks - start);
    }

    /**
     * Removes the samples whose units start before a time.
     *
     * @param early the newest unit too, where its end can be predicted
     */
    List<Sample> takeBefore(long endUs, boolean early) {
        OptionalLong newestEnd = early ? expectedEndTicks() : OptionalLong.empty();
        if (newest != null && newest.dtsUs() < endUs && newestEnd.isPresent()) {
            ready.add(completeAt(newestEnd.getAsLong()));
        }
        List<Sample> taken = new ArrayList<>();
        while (!ready.isEmpty() && ready.getFirst().unit().dtsUs() < endUs) {
            taken.add(ready.removeFirst());
        }
        return taken;
    }

    /** Removes everything, the pending unit included. */
    List<Sample> takeAll() {
        completeLast(LongUnaryOperator.identity()).ifPresent(ready::add);
        List<Sample> taken = new ArrayList<>(ready);
        ready.clear();
        return taken;
    }

    /** Forgets everything. */
    void clear() {
        newest = null;
        pending = false;
        ready.clear();
        cadence.clear();
    }

    private long usualDurationTicks() {
        if (lastDurationTicks > 0) {
            return lastDurationTicks;
        }
        double rate =
                VideoFormat.of(track.codec())
                        .map(VideoFormat::frameRate)
                        .filter(known -> known > 0)
                        .orElse(DEFAULT_FRAME_RATE);
        int ticks = track.timescale().ticksPerSecond();
        double duration =
                switch (track.codec()) {
                    case CodecConfig.Aac(var config) ->
                            (double) ticks * config.samplesPerFrame() / config.sampleRateHz();
                    case CodecConfig.Mp3(int rateHz, _) ->
                            (double) ticks
                                    * (rateHz >= MPEG1_MIN_HZ ? MP3_SAMPLES : MP3_SAMPLES / 2)
                                    / rateHz;
                    case CodecConfig.Opus _ -> (double) ticks / OPUS_FRAMES_PER_SECOND;
                    case CodecConfig.Avc _, CodecConfig.Hevc _, CodecConfig.Av1 _ -> ticks / rate;
                };
        return Math.max(1, Math.round(duration));
    }
}
