package touchline.packager.hls;

import java.util.ArrayList;
import java.util.List;
import touchline.media.Track;
import touchline.packager.isobmff.Fragment.Run;
import touchline.packager.isobmff.Fragment.Sample;

/**
 * The samples of the leading track in the part that grows, and the time that the part covers. Its
 * last sample may last longer than the part; the parts behind it then start without a sample. The
 * packager's thread.
 */
final class GrowingPart {
    private final List<Sample> samples = new ArrayList<>();
    private boolean started;
    private long startUs;
    private long endUs;
    private long bytes;

    /** Adds a sample; it ends the part for now. */
    void add(Sample sample) {
        extend(sample.startUs(), sample.endUs());
        samples.add(sample);
        bytes += sample.unit().payload().byteSize();
    }

    /**
     * The time up to {@code toUs} belongs to the part; {@code fromUs}: where an empty one starts.
     */
    void extend(long fromUs, long toUs) {
        if (!started) {
            started = true;
            startUs = fromUs;
        }
        endUs = toUs;
    }

    /** Covers no time. */
    boolean isEmpty() {
        return !started;
    }

    /** No sample of the leading track starts in it. */
    boolean hasNoSample() {
        return samples.isEmpty();
    }

    void addRun(Track track, List<Run> runs) {
        if (!samples.isEmpty()) {
            runs.add(new Run(track, samples));
        }
    }

    long startUs() {
        return startUs;
    }

    long endUs() {
        return endUs;
    }

    long bytes() {
        return bytes;
    }

    void clear() {
        samples.clear();
        started = false;
        bytes = 0;
    }
}
