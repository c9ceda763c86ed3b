package touchline.media.hub;

import java.util.Arrays;
import java.util.Optional;

/**
 * Judges by blocks of frames whether they are shown at a steady rate. Uses presentation times in
 * display order: with B-frames, decode times of a constant frame rate need not be steady. A single
 * gap is no variable rate. One thread.
 */
final class FrameRateCheck {
    /** Number of intervals that are judged together. */
    private static final int BLOCK = 128;

    /** Most frames that a codec reorders (ISO/IEC 14496-10, A.3.1: max_dec_frame_buffering). */
    private static final int REORDERED = 16;

    private static final double UNSTEADY = 0.25;
    private static final double UNSTEADY_SHARE = 0.1;
    private static final long JITTER_US = 5_000;
    private static final long NEVER = Long.MIN_VALUE;

    /** Presentation times that are not yet in order; sorted. */
    private final long[] waitingUs = new long[REORDERED + 1];

    private int waiting;
    private long shownUs = NEVER;

    private final long[] intervalsUs = new long[BLOCK];
    private int intervals;

    /**
     * A block without a steady rate.
     *
     * @param unsteady number of frames that are not shown at the rate
     * @param rate frames a second, by the median interval
     */
    record Unsteady(int unsteady, int frames, double rate) {}

    /** A timeline begins. */
    void reset() {
        waiting = 0;
        shownUs = NEVER;
        intervals = 0;
    }

    /**
     * Takes the next frame in decode order. Empty but for a block that is complete and unsteady.
     */
    Optional<Unsteady> add(long ptsUs) {
        int place = waiting++;
        while (place > 0 && waitingUs[place - 1] > ptsUs) {
            waitingUs[place] = waitingUs[place - 1];
            place--;
        }
        waitingUs[place] = ptsUs;
        if (waiting <= REORDERED) {
            return Optional.empty();
        }
        long nextUs = waitingUs[0];
        waiting--;
        System.arraycopy(waitingUs, 1, waitingUs, 0, waiting);
        long beforeUs = shownUs;
        shownUs = nextUs;
        if (beforeUs == NEVER) {
            return Optional.empty();
        }
        intervalsUs[intervals++] = nextUs - beforeUs;
        if (intervals < BLOCK) {
            return Optional.empty();
        }
        intervals = 0;
        return judged();
    }

    private Optional<Unsteady> judged() {
        Arrays.sort(intervalsUs);
        long medianUs = Math.max(1, intervalsUs[BLOCK / 2]);
        int unsteady = 0;
        for (long intervalUs : intervalsUs) {
            long offUs = Math.abs(intervalUs - medianUs);
            unsteady += offUs > medianUs * UNSTEADY && offUs > JITTER_US ? 1 : 0;
        }
        return unsteady > BLOCK * UNSTEADY_SHARE
                ? Optional.of(new Unsteady(unsteady, BLOCK, 1e6 / medianUs))
                : Optional.empty();
    }
}
