package touchline.packager.clip;

import java.util.List;
import java.util.Optional;
import touchline.media.codec.MalformedMediaException;

/**
 * Plan of a cut: which samples are kept and which are encoded again. Pure rules on decode and
 * presentation times of the leading track. Immutable.
 *
 * <pre>
 *      K0 . . . start . . K1 . . . . . . . K . . . . end
 *                 |======|                      |====|
 *                  head   kept as they are        tail
 * </pre>
 *
 * <p>Frames between the start and the next key frame (K1) depend on frames before the start: they
 * are encoded again, from the GOP of K0. From K1 on samples are kept until the first, in decode
 * order, that is shown at the end or later; frames presented before the end but decoded after it
 * (B-frames) are encoded again too. Without B-frames there is no tail, and where the start is a key
 * frame there is no head.
 *
 * @param head frames to encode before the kept ones
 * @param keptFrom index of the first kept sample
 * @param keptTo behind the last one; nothing is kept where both are equal
 * @param tail frames to encode behind the kept ones
 */
record ClipPlan(Optional<Recode> head, int keptFrom, int keptTo, Optional<Recode> tail) {
    /**
     * Frames to encode anew.
     *
     * @param groupFrom index of the key frame that decoding starts with
     * @param groupTo behind the last sample that is needed
     * @param fromPtsTicks first presentation time
     * @param toPtsTicks where they end, exclusive
     */
    record Recode(int groupFrom, int groupTo, long fromPtsTicks, long toPtsTicks) {}

    /**
     * @param samples of the leading track in decode order, from a key frame that is shown at the
     *     start or before, to the first key frame behind the end if there is one
     * @param startTicks presentation time of the first frame to show
     * @param endTicks presentation time of the first one not to show
     * @throws EmptyRangeException when there is nothing between
     * @throws MalformedMediaException without a key frame to begin with
     */
    static ClipPlan of(List<StoredSample> samples, long startTicks, long endTicks) {
        long first = Long.MAX_VALUE;
        for (StoredSample sample : samples) {
            if (sample.ptsTicks() >= startTicks && sample.ptsTicks() < endTicks) {
                first = Math.min(first, sample.ptsTicks());
            }
        }
        if (first == Long.MAX_VALUE) {
            throw new EmptyRangeException();
        }
        int before = lastKeyFrame(samples, samples.size(), first);
        if (before < 0) {
            throw new MalformedMediaException("no key frame before the range");
        }
        boolean startsAtKey = samples.get(before).ptsTicks() == first;
        int kept = startsAtKey ? before : nextKeyFrame(samples, before + 1);
        if (kept == samples.size() || samples.get(kept).ptsTicks() >= endTicks) {
            Recode all = new Recode(before, kept, first, endTicks);
            return new ClipPlan(Optional.of(all), kept, kept, Optional.empty());
        }
        Optional<Recode> head =
                startsAtKey
                        ? Optional.empty()
                        : Optional.of(
                                new Recode(before, kept, first, samples.get(kept).ptsTicks()));
        return withTail(samples, endTicks, head, kept);
    }

    /**
     * Presentation time of the first frame to show: from a time on, or if none starts before the
     * end, the one that is shown at that time.
     */
    static long firstTicks(List<StoredSample> samples, long startTicks, long endTicks) {
        long first = Long.MAX_VALUE;
        long shown = Long.MIN_VALUE;
        for (StoredSample sample : samples) {
            long ticks = sample.ptsTicks();
            if (ticks <= startTicks) {
                shown = Math.max(shown, ticks);
            } else {
                first = Math.min(first, ticks);
            }
        }
        boolean startsBetween = shown < startTicks && first >= endTicks;
        return startsBetween && shown != Long.MIN_VALUE ? shown : startTicks;
    }

    private static ClipPlan withTail(
            List<StoredSample> samples, long endTicks, Optional<Recode> head, int kept) {
        int cut = kept;
        while (cut < samples.size() && samples.get(cut).ptsTicks() < endTicks) {
            cut++;
        }
        int groupEnd = nextKeyFrame(samples, cut);
        long firstLeft = Long.MAX_VALUE;
        for (int i = cut; i < groupEnd; i++) {
            if (samples.get(i).ptsTicks() < endTicks) {
                firstLeft = Math.min(firstLeft, samples.get(i).ptsTicks());
            }
        }
        if (firstLeft == Long.MAX_VALUE) {
            return new ClipPlan(head, kept, cut, Optional.empty());
        }
        int group = lastKeyFrame(samples, cut, Long.MAX_VALUE);
        int keptTo = cut;
        // Frames presented after the first frame to encode are encoded with it.
        while (keptTo > group && samples.get(keptTo - 1).ptsTicks() > firstLeft) {
            keptTo--;
        }
        Recode tail = new Recode(group, groupEnd, firstLeft, endTicks);
        return new ClipPlan(head, kept, keptTo, Optional.of(tail));
    }

    /** The same range from key frame to key frame: for what cannot be encoded here. */
    ClipPlan withoutRecoding() {
        int from = head.map(Recode::groupFrom).orElse(keptFrom);
        return new ClipPlan(Optional.empty(), from, Math.max(keptTo, from), Optional.empty());
    }

    /** Presentation time of the first frame that the clip shows. */
    long firstPtsTicks(List<StoredSample> samples) {
        return head.map(Recode::fromPtsTicks).orElseGet(() -> samples.get(keptFrom).ptsTicks());
    }

    /** Before an index, and shown at a time or before it; -1 where there is none. */
    private static int lastKeyFrame(List<StoredSample> samples, int before, long ptsTicks) {
        for (int i = before - 1; i >= 0; i--) {
            StoredSample sample = samples.get(i);
            if (sample.sync() && sample.ptsTicks() <= ptsTicks) {
                return i;
            }
        }
        return -1;
    }

    /** From an index on; the number of samples where there is none. */
    private static int nextKeyFrame(List<StoredSample> samples, int from) {
        int index = from;
        while (index < samples.size() && !samples.get(index).sync()) {
            index++;
        }
        return index;
    }
}
