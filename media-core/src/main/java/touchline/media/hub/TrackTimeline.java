package touchline.media.hub;

import java.util.Optional;
import java.util.OptionalLong;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;

/** Timestamps of one track inside a timeline: offset, newest time, smoothing. One thread. */
final class TrackTimeline {
    /** Before the first unit. */
    static final long NEVER = Long.MIN_VALUE / 4;

    /** 10 s: no encoder reorders frames over a longer time. */
    private static final long MAX_COMPOSITION_OFFSET_TICKS = 900_000;

    final Track track;

    /** Media time minus publisher time. */
    long offsetUs;

    /** Latest media time, before smoothing. */
    long newestUs = NEVER;

    private final IngestMonitor monitor;
    private final long startTicks;
    private final VideoTimestampSmoother video;
    private final AudioTimestampSmoother audio;
    private long offsetTicks;

    TrackTimeline(Track track, long startUs, long offsetUs, IngestMonitor monitor) {
        this.track = track;
        this.monitor = monitor;
        Timescale timescale = track.timescale();
        this.startTicks = ceilTicks(timescale, startUs);
        this.video = new VideoTimestampSmoother(frameRate(track));
        this.audio = new AudioTimestampSmoother(timescale.ticksPerSecond());
        this.offsetUs = offsetUs;
        this.offsetTicks = timescale.fromUs(offsetUs);
    }

    /** Moves this track alone: the unit gets that media time. */
    void moveTo(AccessUnit unit, long mediaUs) {
        offsetUs = mediaUs - unit.dtsUs();
        offsetTicks = track.timescale().fromUs(offsetUs);
        newestUs = NEVER;
    }

    /** Moves this track alone. */
    void shift(long us) {
        offsetUs += us;
        offsetTicks = track.timescale().fromUs(offsetUs);
    }

    /** A frame in media time, not smoothed. */
    AccessUnit exact(AccessUnit frame) {
        long dtsTicks = Math.max(startTicks, frame.dtsTicks() + offsetTicks);
        return frame.at(track, dtsTicks, frame.compositionTimeOffsetTicks());
    }

    /** The unit in media time; empty if it repeats audio that was sent before. */
    Optional<AccessUnit> place(AccessUnit unit) {
        long rawTicks = Math.max(startTicks, unit.dtsTicks() + offsetTicks);
        if (track.isVideo()) {
            return Optional.of(placeFrame(unit, rawTicks));
        }
        OptionalLong ticks = audio.place(rawTicks, FrameDuration.ticks(unit));
        if (ticks.isEmpty()) {
            return Optional.empty();
        }
        monitor.shifted(audio.shiftedTicks() * 1_000_000L / track.timescale().ticksPerSecond());
        return Optional.of(unit.at(track, ticks.getAsLong(), unit.compositionTimeOffsetTicks()));
    }

    private AccessUnit placeFrame(AccessUnit unit, long rawTicks) {
        long dtsTicks = video.place(rawTicks);
        int compositionTicks = unit.compositionTimeOffsetTicks();
        if (Math.abs((long) compositionTicks) > MAX_COMPOSITION_OFFSET_TICKS) {
            compositionTicks = 0;
        }
        long ptsTicks = video.presentation(rawTicks + compositionTicks);
        if (compositionTicks >= 0) {
            ptsTicks = Math.max(ptsTicks, dtsTicks);
        }
        return unit.at(track, dtsTicks, Math.toIntExact(ptsTicks - dtsTicks));
    }

    private static long ceilTicks(Timescale timescale, long us) {
        long ticks = timescale.fromUs(us);
        return timescale.toUs(ticks) < us ? ticks + 1 : ticks;
    }

    private static double frameRate(Track track) {
        return switch (track.codec()) {
            case CodecConfig.Avc(var config) -> config.frameRate();
            case CodecConfig.Hevc(var config) -> config.frameRate();
            case CodecConfig.Av1(var config) -> config.frameRate();
            case CodecConfig.Aac _, CodecConfig.Opus _, CodecConfig.Mp3 _ -> 0;
        };
    }
}
