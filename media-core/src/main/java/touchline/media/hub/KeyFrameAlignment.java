package touchline.media.hub;

import java.util.ArrayDeque;
import java.util.Iterator;
import touchline.media.AccessUnit;

/**
 * Whether a further video track has a key frame at each key frame of the source: only then segments
 * of both start at the same times. More key frames do no harm. Guarded by its owner.
 *
 * <p>Times are presentation times in ticks of the video. They may differ by {@link
 * #TOLERANCE_TICKS}: publishers round to milliseconds, and the source is smoothed.
 */
final class KeyFrameAlignment {
    /** 2.5 ms. */
    static final long TOLERANCE_TICKS = 225;

    private static final int MOST = 64;

    /** Key frames of the source that the track has not reached. */
    private final ArrayDeque<Long> expected = new ArrayDeque<>();

    /** Newest key frames of the track that the source has not reached. */
    private final ArrayDeque<Long> found = new ArrayDeque<>();

    private boolean begun;
    private long firstPtsTicks;
    private long reachedDtsTicks;
    private int alignedInARow;

    /** A timeline begins. */
    void begin() {
        expected.clear();
        found.clear();
        begun = false;
        alignedInARow = 0;
    }

    /** Key frames together since the last one that was not. */
    int alignedInARow() {
        return alignedInARow;
    }

    /**
     * A key frame of the source.
     *
     * @return false if the track has none there
     */
    boolean source(long ptsTicks) {
        if (!begun || ptsTicks < firstPtsTicks - TOLERANCE_TICKS) {
            return true;
        }
        if (take(found, ptsTicks)) {
            alignedInARow++;
            return true;
        }
        if (reachedDtsTicks > ptsTicks + TOLERANCE_TICKS) {
            alignedInARow = 0;
            return false;
        }
        add(expected, ptsTicks);
        return true;
    }

    /**
     * A unit of the track, in decode order.
     *
     * @return false if it shows that the track has no key frame at one of the source's
     */
    boolean track(AccessUnit unit) {
        long ptsTicks = unit.ptsTicks();
        if (!begun) {
            begun = true;
            firstPtsTicks = ptsTicks;
        }
        if (unit.idr()) {
            if (take(expected, ptsTicks)) {
                alignedInARow++;
            } else {
                add(found, ptsTicks);
            }
        }
        // A frame is not decoded after it is presented, so earlier key frames cannot come.
        reachedDtsTicks = unit.dtsTicks();
        boolean missed = false;
        while (!expected.isEmpty() && expected.getFirst() + TOLERANCE_TICKS < reachedDtsTicks) {
            expected.removeFirst();
            missed = true;
        }
        alignedInARow = missed ? 0 : alignedInARow;
        return !missed;
    }

    private static void add(ArrayDeque<Long> times, long ptsTicks) {
        if (times.size() == MOST) {
            times.removeFirst();
        }
        times.add(ptsTicks);
    }

    private static boolean take(ArrayDeque<Long> times, long ptsTicks) {
        for (Iterator<Long> each = times.iterator(); each.hasNext(); ) {
            if (Math.abs(each.next() - ptsTicks) <= TOLERANCE_TICKS) {
                each.remove();
                return true;
            }
        }
        return false;
    }
}
