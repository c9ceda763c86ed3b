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

    /**
     * Nothing follows the part. Its samples last until the frame shown last ends, and none is shown
     * longer: the last samples are decoded later, at the latest when they are presented.
     *
     * @param shownTicks where the frame shown last ends
     * @param endTicks where the part ends, not later than that
     */
    void finish(long shownTicks, long endTicks) {
        if (samples.isEmpty()) {
            return;
        }
        long[] latest = latestTicks(shownTicks);
        long next = Math.min(endTicks, latest[samples.size()]);
        for (int i = samples.size() - 1; i >= 0; i--) {
            Sample sample = samples.get(i);
            long start =
                    Math.clamp(next - longestTicks(i, shownTicks), sample.decodeTicks(), latest[i]);
            samples.set(i, new Sample(sample.unit(), start, Math.max(1, next - start)));
            next = start;
        }
    }

    /** How late each sample can be decoded, and how late the last one can end. */
    private long[] latestTicks(long shownTicks) {
        int count = samples.size();
        long[] latest = new long[count + 1];
        latest[0] = samples.getFirst().decodeTicks();
        for (int i = 1; i <= count; i++) {
            long endTicks = latest[i - 1] + longestTicks(i - 1, shownTicks);
            latest[i] = endTicks;
            if (i < count) {
                Sample next = samples.get(i);
                latest[i] =
                        Math.max(next.decodeTicks(), Math.min(next.unit().ptsTicks(), endTicks));
            }
        }
        return latest;
    }

    /** A sample that lasts longer is shown longer than the frame shown last. */
    private long longestTicks(int index, long shownTicks) {
        Sample sample = samples.get(index);
        return Math.max(sample.durationTicks(), shownTicks - sample.unit().ptsTicks());
    }

    /** Its samples; none if no sample of the leading track starts in it. */
    List<Run> run(Track track) {
        List<Run> runs = new ArrayList<>(2);
        if (!samples.isEmpty()) {
            runs.add(new Run(track, samples));
        }
        return runs;
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
