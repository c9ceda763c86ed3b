package touchline.overlay;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import touchline.media.FrameView;

/**
 * A layer's content for frames of one canvas: YUV 4:2:0 with alpha, without transparent areas.
 * Stored as pairs of rows, so that consecutive contents share unchanged rows. Immutable, any
 * thread.
 */
public final class BoxFrame {
    private final Canvas canvas;
    private final int firstPair;
    private final RowPair[] pairs;

    /** Two rows of luma and one of each chroma plane. */
    record RowPair(BlendRow upper, BlendRow lower, BlendRow u, BlendRow v) {
        static final RowPair NONE =
                new RowPair(BlendRow.NONE, BlendRow.NONE, BlendRow.NONE, BlendRow.NONE);

        boolean isEmpty() {
            return upper.isEmpty() && lower.isEmpty() && u.isEmpty() && v.isEmpty();
        }
    }

    /**
     * @param firstPair the first pair covers canvas rows 2 * firstPair and the next
     * @param pairs owned by this from now on
     */
    BoxFrame(Canvas canvas, int firstPair, RowPair[] pairs) {
        this.canvas = canvas;
        this.firstPair = firstPair;
        this.pairs = pairs;
    }

    /** Whether it is completely transparent. */
    public boolean isEmpty() {
        return Arrays.stream(pairs).allMatch(RowPair::isEmpty);
    }

    /** The canvas that it was converted for. */
    public Canvas canvas() {
        return canvas;
    }

    /** Pairs of rows; index 0 is pair {@link #firstPair} of the canvas. */
    RowPair[] pairs() {
        return pairs;
    }

    int firstPair() {
        return firstPair;
    }

    /** The pair after the last. */
    int endPair() {
        return firstPair + pairs.length;
    }

    /**
     * Blends the content into a frame of the canvas' size.
     *
     * @param ground Y, U, V; written in place
     * @param scratch at least as long as a row; its content is lost
     */
    public void blendInto(List<FrameView.Plane> ground, byte[] scratch) {
        blendInto(ground, /* groundPair= */ 0, scratch);
    }

    /**
     * Blends the content into some rows of a frame of the canvas' size.
     *
     * @param ground Y, U, V; written in place
     * @param groundPair pair of rows of the canvas that the ground begins with
     * @param scratch at least as long as a row; its content is lost
     */
    void blendInto(List<FrameView.Plane> ground, int groundPair, byte[] scratch) {
        FrameView.Plane y = ground.get(0);
        FrameView.Plane u = ground.get(1);
        FrameView.Plane v = ground.get(2);
        for (int i = 0; i < pairs.length; i++) {
            RowPair pair = pairs[i];
            long row = firstPair - groundPair + (long) i;
            blend(pair.upper, y, 2 * row, scratch);
            blend(pair.lower, y, 2 * row + 1, scratch);
            blend(pair.u, u, row, scratch);
            blend(pair.v, v, row, scratch);
        }
    }

    private static void blend(BlendRow over, FrameView.Plane plane, long row, byte[] scratch) {
        if (!over.isEmpty()) {
            MemorySegment samples = plane.samples();
            over.blend(samples, row * plane.strideBytes(), scratch);
        }
    }
}
