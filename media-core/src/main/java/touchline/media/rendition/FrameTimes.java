package touchline.media.rendition;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Gives the frames of a rendition the times of the program's units, in one timeline: the i-th frame
 * in presentation order gets the decode time of the i-th unit in decode order, and keeps its
 * presentation time. Renditions have no B-frames, so this keeps both orders, and presentation never
 * precedes decoding. Times in 1/90 000 s. One thread.
 */
final class FrameTimes {
    /** More units than a decoder can hold back; further ones are due at once. */
    private static final int MAX_WAITING = 64;

    /**
     * The times of one frame.
     *
     * @param key the program has a key frame there
     */
    record Times(long dtsTicks, long ptsTicks, boolean key) {}

    /** Presentation time, and whether it is a key frame. */
    private final TreeMap<Long, Boolean> waiting = new TreeMap<>();

    private final ArrayDeque<Long> dtsTicks = new ArrayDeque<>();
    private long lastPtsTicks = Long.MIN_VALUE;

    /**
     * A unit of the program, in decode order. A unit that repeats a presentation time, or has one
     * before a frame that is out already, is ignored.
     */
    void add(long dts, long pts, boolean key) {
        if (pts > lastPtsTicks && waiting.putIfAbsent(pts, key) == null) {
            dtsTicks.add(dts);
        }
    }

    /** Whether too many frames are missing: {@link #oldest} is due. */
    boolean isFull() {
        return waiting.size() > MAX_WAITING;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Whether a frame with this presentation time is expected. */
    boolean expects(long pts) {
        return waiting.containsKey(pts);
    }

    /** The frames up to this presentation time, in order; the decoder has skipped all but it. */
    List<Times> upTo(long pts) {
        List<Times> due = new ArrayList<>(1);
        while (!waiting.isEmpty() && waiting.firstKey() <= pts) {
            due.add(oldest());
        }
        return due;
    }

    /** The next frame in presentation order. */
    Times oldest() {
        Map.Entry<Long, Boolean> first = waiting.pollFirstEntry();
        lastPtsTicks = first.getKey();
        return new Times(dtsTicks.remove(), first.getKey(), first.getValue());
    }

    /** A new timeline, or a gap: media time goes on. */
    void clear() {
        waiting.clear();
        dtsTicks.clear();
    }
}
