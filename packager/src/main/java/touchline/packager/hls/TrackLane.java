package touchline.packager.hls;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Track;
import touchline.packager.isobmff.Fragment.Sample;
import touchline.packager.isobmff.VideoFormat;

/**
 * The units of one track on their way into a part: a unit becomes a sample when the next one tells
 * how long it lasts. One thread.
 */
final class TrackLane {
    private static final double DEFAULT_FRAME_RATE = 30;
    private static final int OPUS_FRAMES_PER_SECOND = 50;

    /** MPEG-1 layer III; half as many at the lower rates of MPEG-2. */
    private static final int MP3_SAMPLES = 1152;

    private static final int MPEG1_MIN_HZ = 32_000;

    private final Track track;
    private final ArrayDeque<Sample> ready = new ArrayDeque<>();
    private @Nullable AccessUnit pending;
    private long lastDurationTicks;

    TrackLane(Track track) {
        this.track = track;
    }

    Track track() {
        return track;
    }

    /** The newest unit, which is not a sample yet. */
    Optional<AccessUnit> pending() {
        return Optional.ofNullable(pending);
    }

    /** How long the pending unit lasts when this one is next; not positive for one that is late. */
    long durationUs(AccessUnit next) {
        AccessUnit last = pending;
        return last == null ? 0 : next.dtsUs() - last.dtsUs();
    }

    /**
     * Takes a unit that comes later than the pending one, and returns that one as a sample; it is
     * not kept here.
     */
    Optional<Sample> complete(AccessUnit next) {
        AccessUnit last = pending;
        pending = next;
        if (last == null) {
            return Optional.empty();
        }
        lastDurationTicks = next.dtsTicks() - last.dtsTicks();
        return Optional.of(new Sample(last, lastDurationTicks));
    }

    /** Like {@link #complete}, but the sample waits here. */
    void queue(AccessUnit next) {
        complete(next).ifPresent(ready::add);
    }

    /** The pending unit, with the duration of the one before it or of its codec. */
    Optional<Sample> completeLast() {
        AccessUnit last = pending;
        pending = null;
        return last == null
                ? Optional.empty()
                : Optional.of(new Sample(last, usualDurationTicks()));
    }

    /** Removes the samples that start before a time. */
    List<Sample> takeBefore(long endUs) {
        List<Sample> taken = new ArrayList<>();
        while (!ready.isEmpty() && ready.getFirst().unit().dtsUs() < endUs) {
            taken.add(ready.removeFirst());
        }
        return taken;
    }

    /** Removes everything, the pending unit included. */
    List<Sample> takeAll() {
        completeLast().ifPresent(ready::add);
        List<Sample> taken = new ArrayList<>(ready);
        ready.clear();
        return taken;
    }

    /** Forgets everything. */
    void clear() {
        pending = null;
        ready.clear();
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
