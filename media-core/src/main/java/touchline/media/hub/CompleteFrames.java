package touchline.media.hub;

import java.util.ArrayDeque;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;

/**
 * Holds frames back that are decoded ahead of their time, until all frames are there that are shown
 * before them. So the programme never ends with a frame that follows a missing one, and another
 * publisher can continue it. Without B-frames nothing waits. Guarded by its session.
 */
final class CompleteFrames {
    /** Publishers round to milliseconds. */
    private static final long SLACK_US = 2_000;

    private static final int MAX_WAITING = 512;

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

    /**
     * @param frameUs duration of a frame
     */
    void add(Written next, long frameUs, Output out) {
        if (!(next.item() instanceof AccessUnit unit)) {
            flush(out);
            out.accept(next);
            return;
        }
        waiting.add(next);
        if (unit.track().isVideo()) {
            ptsUs = Math.max(ptsUs, unit.ptsUs());
            // A frame that is still to come is shown after its decode time.
            if (ptsUs <= unit.dtsUs() + frameUs + SLACK_US) {
                flush(out);
            }
        } else if (ptsUs == Long.MIN_VALUE || waiting.size() > MAX_WAITING) {
            flush(out);
        }
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
        waiting.clear();
    }
}
