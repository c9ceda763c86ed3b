package touchline.packager.hls;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
 */
final class SessionClock {
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

    /** Continues the clock of a window; a window without segments starts it. */
    static SessionClock after(StoredWindow before) {
        SessionClock clock = new SessionClock();
        clock.started = !before.isEmpty();
        clock.endUs = before.endUs();
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

    Timeline timeline(Timeline media) {
        return new Timeline(
                media.sequence(), media.tracks(), us(media.startUs()), media.startedAt());
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
