package touchline.packager.hls;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import touchline.media.Timeline;
import touchline.media.Timescale;
import touchline.packager.isobmff.Fragment.Run;
import touchline.packager.isobmff.Fragment.Sample;

/**
 * The clock of a session's segments. It starts with the first frame shown, and it has no gaps: what
 * follows a discontinuity starts where the part before ended. So decode times in the segments, the
 * sum of EXTINF and the times of the recording are the same, also for players that ignore
 * discontinuities. The packager's thread.
 *
 * <p>Media time of the feed goes on where nothing is published: while a publisher is away, and
 * where the barrier discards media.
 *
 * <p>Dates of segments are those of the feed, except behind a discontinuity. Shaka Player (5.2)
 * takes a jump of the dates out of its timeline only if it is longer than a second. After a shorter
 * one, or a difference of a millisecond, it no longer finds the segment in its list, counts the
 * jumps again with each playlist, and loses all segments. So a shorter jump is left out until
 * together they are longer, and dates are whole milliseconds away from session time, as durations
 * in playlists are: {@link PlaylistSegment}.
 */
final class SessionClock {
    /** A second, and a millisecond for what is cut off in the playlists. */
    private static final Duration SMALLEST_JUMP = Duration.ofMillis(1_001);

    private boolean started;

    /** Session time minus media time, since the last discontinuity. */
    private long shiftUs;

    /** The same, exactly, in ticks of the leading track. */
    private long shiftTicks;

    private Timescale timescale = Timescale.VIDEO;

    /** Media time of the first frame behind the last discontinuity. */
    private long firstUs;

    /** Session time at which the last part ended. */
    private long endUs;

    /** Date of the newest segment; null before the first. */
    private @Nullable Instant segmentDate;

    /** Session time at which it starts. */
    private long segmentStartUs;

    /** Dates of segments minus those of the feed, since the last discontinuity. */
    private Duration dateShift = Duration.ZERO;

    /** Continues the clock of a window; one of which no segment is known starts it. */
    static SessionClock after(StoredWindow before) {
        SessionClock clock = new SessionClock();
        clock.started = before.newest().isPresent();
        clock.endUs = before.endUs();
        before.newest()
                .ifPresent(segment -> clock.note(segment.startUs(), segment.programDateTime()));
        return clock;
    }

    /** The first part behind a discontinuity, or of the session. */
    void begin(PartPublisher.PartBuilder first) {
        Sample sample = first.leading().samples().getFirst();
        timescale = first.leading().track().timescale();
        firstUs = sample.unit().ptsUs();
        if (started) {
            shiftTicks = ceilTicks(timescale, endUs) - sample.decodeTicks();
            shiftUs = timescale.toUs(sample.decodeTicks() + shiftTicks) - first.startUs();
        }
        Instant date = first.timeline().wallClock(first.startUs());
        dateShift = Duration.between(date, continued(date, us(first.startUs())));
    }

    /**
     * The date of what follows a discontinuity, as players get it.
     *
     * @param startUs its session time
     */
    private Instant continued(Instant date, long startUs) {
        Instant shown = date;
        if (segmentDate != null) {
            Instant end = segmentDate.plus(micros(startUs - segmentStartUs));
            if (Duration.between(end, date).abs().compareTo(SMALLEST_JUMP) < 0) {
                shown = end;
            }
        }
        Duration start = micros(startUs);
        Instant beforeZero = shown.minus(start).minusNanos(1);
        return beforeZero.truncatedTo(ChronoUnit.MILLIS).plusMillis(1).plus(start);
    }

    /**
     * The date of the segment that starts at a session time.
     *
     * @param media the timeline of its media
     */
    Instant segmentDate(long startUs, Timeline media) {
        Instant date = media.wallClock(mediaUs(startUs)).plus(dateShift);
        note(startUs, date);
        return date;
    }

    private void note(long startUs, Instant date) {
        segmentStartUs = startUs;
        segmentDate = date;
    }

    private static Duration micros(long us) {
        return Duration.ofNanos(Math.multiplyExact(us, 1_000L));
    }

    /** Session time of a media time. */
    long us(long mediaUs) {
        return mediaUs + shiftUs;
    }

    /** Media time of a session time, since the last discontinuity. */
    long mediaUs(long sessionUs) {
        return sessionUs - shiftUs;
    }

    /** What it adds now. */
    SourceEvent.Shift shift() {
        return new SourceEvent.Shift(shiftUs, shiftTicks, timescale, firstUs);
    }

    /** At session time; the wall clock stays that of the feed. */
    Timeline timeline(Timeline media) {
        return new Timeline(
                media.sequence(), media.tracks(), us(media.startUs()), media.startedAt());
    }

    /** At session time, with the dates of segments. */
    Timeline dated(Timeline media) {
        return new Timeline(
                media.sequence(),
                media.tracks(),
                us(media.startUs()),
                media.startedAt().plus(dateShift));
    }

    /**
     * A part's samples at session time. Audio that starts before the first frame or after the end
     * of the part is left out: nothing is shown with it.
     */
    List<Run> runs(PartPublisher.PartBuilder part) {
        List<Run> runs = new ArrayList<>(part.runs().size());
        Run lead = part.leading();
        runs.add(new Run(lead.track(), lead.samples(), ticks(lead.track().timescale())));
        for (Run run : part.runs().subList(1, part.runs().size())) {
            within(run, part.endUs()).ifPresent(runs::add);
        }
        endUs = us(part.endUs());
        started = true;
        return runs;
    }

    private Optional<Run> within(Run run, long partEndUs) {
        List<Sample> samples = run.samples();
        int from = 0;
        while (from < samples.size() && samples.get(from).unit().ptsUs() < firstUs) {
            from++;
        }
        int to = samples.size();
        while (to > from && samples.get(to - 1).unit().ptsUs() >= partEndUs) {
            to--;
        }
        return from == to
                ? Optional.empty()
                : Optional.of(
                        new Run(
                                run.track(),
                                samples.subList(from, to),
                                ticks(run.track().timescale())));
    }

    /** The shift in ticks of a track. */
    private long ticks(Timescale of) {
        return shift().ticks(of);
    }

    private static long ceilTicks(Timescale of, long us) {
        long ticks = of.fromUs(us);
        return of.toUs(ticks) < us ? ticks + 1 : ticks;
    }
}
