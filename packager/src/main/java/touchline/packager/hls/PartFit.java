package touchline.packager.hls;

import touchline.media.Timescale;
import touchline.packager.isobmff.Fragment.Sample;

/**
 * Where units of the leading track end so that parts keep between 85 % and all of the part target,
 * although an end was predicted, or pictures were left out. One thread.
 */
final class PartFit {
    /** One picture left out, or two: players bridge such a hole. */
    private static final int MAX_SHORTENED = 3;

    private final Segmenter segmenter;
    private final boolean early;

    /**
     * @param early parts are listed
     */
    PartFit(Segmenter segmenter, boolean early) {
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
    long endOfLast(TrackLane lead, long endTicks) {
        Timescale timescale = lead.track().timescale();
        return early && segmenter.isTooShort(lead.startUs())
                ? Math.min(endTicks, latestEndTicks(timescale))
                : notBeyondThePart(timescale, endTicks);
    }

    /**
     * A unit that lasts longer than it should, since the encoder left one out behind it, ends with
     * its part where that would be too short without it; the next one is decoded from there on.
     */
    Sample fitted(TrackLane lead, Sample sample) {
        long roomUs = segmenter.latestEndUs() - sample.startUs();
        long durationUs = sample.endUs() - sample.startUs();
        boolean fits = durationUs <= roomUs || durationUs > MAX_SHORTENED * roomUs;
        return !early || fits || !segmenter.isTooShort(sample.startUs())
                ? sample
                : lead.shorten(sample, latestEndTicks(lead.track().timescale()));
    }

    private long latestEndTicks(Timescale timescale) {
        long latestUs = segmenter.latestEndUs();
        long ticks = timescale.fromUs(latestUs);
        return timescale.toUs(ticks) > latestUs ? ticks - 1 : ticks;
    }
}
