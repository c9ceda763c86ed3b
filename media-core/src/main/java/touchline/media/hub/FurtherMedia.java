package touchline.media.hub;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.Timescale;

/**
 * Puts the further tracks of one publisher on media time: they move by the same amount as its first
 * tracks. Units that come before the first tracks, or before a jump of theirs, wait. The
 * publication's event loop.
 */
final class FurtherMedia {
    private static final int MAX_EARLY_UNITS = 512;
    private static final long MAX_EARLY_BYTES = 8L << 20;
    private static final long MAX_AHEAD_US = 2_000_000;

    /** Readers do not wait longer for a track. */
    private static final long MAX_BEHIND_US = 10_000_000;

    /** A track may start this much before the first frame: both are rounded to milliseconds. */
    private static final long ROUNDING_US = 1_500;

    /** 10 s: no encoder reorders frames over a longer time. */
    private static final long MAX_COMPOSITION_OFFSET_TICKS = 900_000;

    private final Supplier<TimestampNormalizer> normalizer;
    private final FurtherTracks tracks;
    private final ArrayDeque<Early> early = new ArrayDeque<>();
    private final Map<TrackNumber, AudioTimestampSmoother> audio = new HashMap<>();
    private long earlyBytes;
    private @Nullable Timeline timeline;
    private long newestUs;

    private record Early(TrackNumber number, AccessUnit unit) {}

    private enum Fit {
        PASSED,
        /** It may belong to a timeline that is still to come. */
        WAITS
    }

    /**
     * @param normalizer of the first tracks; another one after a change between two encoders
     */
    FurtherMedia(Supplier<TimestampNormalizer> normalizer, FurtherTracks tracks) {
        this.normalizer = normalizer;
        this.tracks = tracks;
    }

    /** An item of the first tracks, in media time. */
    void observe(FeedItem item) {
        switch (item) {
            case Timeline started -> {
                timeline = started;
                newestUs = started.startUs();
                audio.clear();
            }
            case AccessUnit unit -> {
                newestUs = Math.max(newestUs, unit.dtsUs());
                Timeline now = timeline;
                if (unit.isKeyFrame() && now != null) {
                    tracks.sourceKeyFrame(unit.ptsTicks(), now);
                }
            }
            case Interruption _ -> {}
        }
    }

    /** A unit of a further track with the publisher's timestamps. */
    void write(TrackNumber number, AccessUnit unit) {
        settle();
        if (pass(number, unit) == Fit.WAITS) {
            early.add(new Early(number, unit));
            earlyBytes += unit.payload().byteSize();
            while (early.size() > MAX_EARLY_UNITS || earlyBytes > MAX_EARLY_BYTES) {
                earlyBytes -= early.remove().unit().payload().byteSize();
            }
        }
    }

    /** Passes the units that waited and fit now. */
    void settle() {
        for (int left = early.size(); left > 0 && timeline != null; left--) {
            Early next = early.remove();
            if (pass(next.number(), next.unit()) == Fit.WAITS) {
                early.add(next);
            } else {
                earlyBytes -= next.unit().payload().byteSize();
            }
        }
    }

    private Fit pass(TrackNumber number, AccessUnit unit) {
        OptionalLong offsetUs = normalizer.get().offsetUs(number.video());
        Timeline now = timeline;
        if (now == null || offsetUs.isEmpty()) {
            return Fit.WAITS;
        }
        Timescale timescale = unit.track().timescale();
        long ticks = unit.dtsTicks() + timescale.fromUs(offsetUs.getAsLong());
        long us = timescale.toUs(ticks);
        if (us > newestUs + MAX_AHEAD_US || us < newestUs - MAX_BEHIND_US) {
            return Fit.WAITS;
        }
        if (us >= now.startUs() - ROUNDING_US) {
            long startTicks = ceilTicks(timescale, now.startUs());
            offer(number, unit, Math.max(startTicks, ticks), now);
        }
        return Fit.PASSED;
    }

    private void offer(TrackNumber number, AccessUnit unit, long ticks, Timeline now) {
        if (number.video()) {
            int offsetTicks = unit.compositionTimeOffsetTicks();
            boolean usual = Math.abs((long) offsetTicks) <= MAX_COMPOSITION_OFFSET_TICKS;
            tracks.offer(number, unit.at(unit.track(), ticks, usual ? offsetTicks : 0), now);
            return;
        }
        OptionalLong placed =
                audio.computeIfAbsent(
                                number,
                                _ ->
                                        new AudioTimestampSmoother(
                                                unit.track().timescale().ticksPerSecond()))
                        .place(ticks, FrameDuration.ticks(unit));
        if (placed.isPresent()) {
            tracks.offer(number, unit.at(unit.track(), placed.getAsLong(), 0), now);
        }
    }

    private static long ceilTicks(Timescale timescale, long us) {
        long ticks = timescale.fromUs(us);
        return timescale.toUs(ticks) < us ? ticks + 1 : ticks;
    }
}
