package touchline.packager.hls;

import touchline.media.Timescale;
import touchline.packager.isobmff.Fragment.Sample;

/**
 * Where units of the leading track end so that parts keep between 85 % and all of the part target,
 * although an end was predicted, or frames were left out. One thread.
 */
final class PartDurationLimiter {
    /**
     * How far decode times may fall behind; for longer a part that is too long is the lesser evil.
     */
    private static final long MAX_BEHIND_US = 1_000_000;

    private final Segmenter segmenter;
    private final boolean early;

    /**
     * @param early parts are listed
     */
    PartDurationLimiter(Segmenter segmenter, boolean early) {
        this.segmenter = segmenter;
        this.early = early;
    }

    /** A prediction that misses the part's limit by its own error stands on the limit. */
    long notBeyondThePart(Timescale timescale, long endTicks) {
        long beyondUs = timescale.toUs(endTicks) - segmenter.latestEndUs();
        return beyondUs <= 0 || beyondUs > Segmenter.PREDICTION_ERROR_US
                ? endTicks
                : latestEndTicks(timescale);
    }

    /**
     * How long the last unit lasts is a guess, a long one where units were left out before it: it
     * ends with its part where that would be too short without it.
     */
    long endOfLast(SampleQueue lead, long endTicks) {
        Timescale timescale = lead.track().timescale();
        return early && segmenter.isTooShort(lead.startUs())
                ? Math.min(endTicks, latestEndTicks(timescale))
                : notBeyondThePart(timescale, endTicks);
    }

    /**
     * A unit that goes beyond a part which would be too short without it, since units were left out
     * behind it, ends with the part. The next one is decoded from there on, and shown at its own
     * time.
     */
    Sample fitted(SampleQueue lead, Sample sample) {
        return segmenter.isTooShort(sample.startUs()) ? withinThePart(lead, sample) : sample;
    }

    /** The same for the first unit of a part. */
    Sample first(SampleQueue lead, Sample sample) {
        return segmenter.partTargetUs() > 0 ? withinThePart(lead, sample) : sample;
    }

    /** How long its unit lasts: less than the sample where that is decoded too early. */
    static long unitUs(Sample sample) {
        long behindUs = sample.unit().dtsUs() - sample.startUs();
        long durationUs = sample.endUs() - sample.startUs();
        return behindUs > Segmenter.PREDICTION_ERROR_US && behindUs < durationUs
                ? durationUs - behindUs
                : durationUs;
    }

    private Sample withinThePart(SampleQueue lead, Sample sample) {
        long beyondUs = sample.endUs() - segmenter.latestEndUs();
        // Where every unit is longer than a part nothing would ever catch up.
        boolean isSlow = lead.stepUs().orElse(0) > segmenter.partTargetUs();
        return !early || isSlow || beyondUs <= 0 || beyondUs > MAX_BEHIND_US
                ? sample
                : lead.shorten(sample, latestEndTicks(lead.track().timescale()));
    }

    private long latestEndTicks(Timescale timescale) {
        long latestUs = segmenter.latestEndUs();
        long ticks = timescale.fromUs(latestUs);
        return timescale.toUs(ticks) > latestUs ? ticks - 1 : ticks;
    }
}
