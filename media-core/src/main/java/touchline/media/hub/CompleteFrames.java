package touchline.media.hub;

import java.util.ArrayDeque;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;

/**
 * Holds frames back that are decoded ahead of their time, until all frames are there that are shown
 * before them. So the programme never ends with a frame that follows a missing one, and another
 * publisher can continue it. Without B-frames nothing waits. Guarded by its session.
 *
 * <p>A frame that is still to come is shown after its decode time, by the encoder's delay at least:
 * x264 delays all frames by one more than its B-frames need, so that none is shown when it is
 * decoded. The delay is the smallest one of the newest frames.
 */
final class CompleteFrames {
    /** Publishers round to milliseconds. */
    private static final long SLACK_US = 2_000;

    /** Sixteen B-frames at 24 frames a second, the most that H.264 allows, last 0.7 s. */
    private static final long MAX_WAIT_US = 1_000_000;

    /** Frames in each of the two blocks whose smallest delay counts. */
    private static final int BLOCK = 60;

    /** Receives what is complete, in the same order. */
    @FunctionalInterface
    interface Output {
        void accept(Written next);
    }

    /**
     * An item that a publication writes.
     *
     * @param runsUp a unit that is decoded and not shown
     * @param source of the publication
     * @param offsetUs media time less the publisher's time
     */
    record Written(FeedItem item, boolean runsUp, PublishSource source, long offsetUs) {}

    private final ArrayDeque<Written> waiting = new ArrayDeque<>();

    /** Latest presentation time of what waits. */
    private long ptsUs = Long.MIN_VALUE;

    /** Smallest time from decoding to presentation in the current block of frames. */
    private long blockDelayUs = Long.MAX_VALUE;

    private long beforeDelayUs = Long.MAX_VALUE;
    private int blockFrames;

    /**
     * @param frameUs duration of a frame
     */
    void add(Written next, long frameUs, Output out) {
        if (!(next.item() instanceof AccessUnit unit)) {
            flush(out);
            forgetDelay();
            out.accept(next);
            return;
        }
        waiting.add(next);
        if (unit.track().isVideo()) {
            ptsUs = Math.max(ptsUs, unit.ptsUs());
            if (!next.runsUp()) {
                delay(unit.ptsUs() - unit.dtsUs());
            }
            if (ptsUs <= unit.dtsUs() + frameUs + delayUs() + SLACK_US) {
                flush(out);
            }
        } else if (ptsUs == Long.MIN_VALUE) {
            flush(out);
        }
        if (waitUs(unit) > MAX_WAIT_US) {
            flush(out);
        }
    }

    private long waitUs(AccessUnit newest) {
        Written oldest = waiting.peekFirst();
        return oldest != null && oldest.item() instanceof AccessUnit unit
                ? newest.dtsUs() - unit.dtsUs()
                : 0;
    }

    private void delay(long us) {
        if (blockFrames == BLOCK) {
            beforeDelayUs = blockDelayUs;
            blockDelayUs = Long.MAX_VALUE;
            blockFrames = 0;
        }
        blockDelayUs = Math.min(blockDelayUs, us);
        blockFrames++;
    }

    private long delayUs() {
        long smallest = Math.min(blockDelayUs, beforeDelayUs);
        return smallest == Long.MAX_VALUE ? 0 : smallest;
    }

    private void forgetDelay() {
        blockDelayUs = Long.MAX_VALUE;
        beforeDelayUs = Long.MAX_VALUE;
        blockFrames = 0;
    }

    /** Passes everything on. */
    void flush(Output out) {
        ptsUs = Long.MIN_VALUE;
        while (!waiting.isEmpty()) {
            out.accept(waiting.removeFirst());
        }
    }

    /** Drops what is not complete. */
    void clear() {
        ptsUs = Long.MIN_VALUE;
        forgetDelay();
        waiting.clear();
    }
}
