package touchline.packager.hls;

import touchline.media.Timescale;
import touchline.packager.isobmff.Fragment.Sample;

/**
 * Adjusts where units of the leading track end, so that parts last between 85 % and 100 % of the
 * part target although an end was predicted, or frames are missing. One thread.
 */
final class PartDurationLimiter {
    private final Segmenter segmenter;
    private final boolean early;

    /**
     * @param early parts are listed
     */
    PartDurationLimiter(Segmenter segmenter, boolean early) {
        this.segmenter = segmenter;
        this.early = early;
    }

    /** Moves a predicted end to the part's limit, if it exceeds it by no more than its error. */
    long clampToPart(Timescale timescale, long endTicks) {
        long beyondUs = timescale.toUs(endTicks) - segmenter.latestEndUs();
        return beyondUs <= 0 || beyondUs > Segmenter.PREDICTION_ERROR_US
                ? endTicks
                : latestEndTicks(timescale);
    }

    /**
     * End of the timeline's last unit, whose duration is a guess, and a long one after missing
     * units: it ends with its part if the part would be too short without it.
     */
    long endOfLast(SampleQueue lead, long endTicks) {
        Timescale timescale = lead.track().timescale();
        return early && segmenter.isTooShort(lead.startUs())
                ? Math.min(endTicks, latestEndTicks(timescale))
                : clampToPart(timescale, endTicks);
    }

    /**
     * Shortens a unit that exceeds its part, if the part would be too short without it (units after
     * it are missing). The next unit is decoded from there on and presented at its own time.
     */
    Sample limit(SampleQueue lead, Sample sample) {
        return segmenter.isTooShort(sample.startUs()) ? shortenToPart(lead, sample) : sample;
    }

    /** The same for the first unit of a part. */
    Sample first(SampleQueue lead, Sample sample) {
        return shortenToPart(lead, sample);
    }

    /** Duration of its unit; shorter than the sample if that is decoded early. */
    static long unitUs(Sample sample) {
        long behindUs = sample.unit().dtsUs() - sample.startUs();
        long durationUs = sample.endUs() - sample.startUs();
        return behindUs > Segmenter.PREDICTION_ERROR_US && behindUs < durationUs
                ? durationUs - behindUs
                : durationUs;
    }

    /** Whether every unit is longer than a part, of those that are listed. */
    boolean isSlow(SampleQueue lead) {
        return early && lead.stepUs().orElse(0) > segmenter.partTargetUs();
    }

    private Sample shortenToPart(SampleQueue lead, Sample sample) {
        long beyondUs = sample.endUs() - segmenter.latestEndUs();
        // Decode times would fall behind for ever.
        return !early || isSlow(lead) || beyondUs <= 0
                ? sample
                : lead.shorten(sample, latestEndTicks(lead.track().timescale()));
    }

    private long latestEndTicks(Timescale timescale) {
        long latestUs = segmenter.latestEndUs();
        long ticks = timescale.fromUs(latestUs);
        return timescale.toUs(ticks) > latestUs ? ticks - 1 : ticks;
    }
}
