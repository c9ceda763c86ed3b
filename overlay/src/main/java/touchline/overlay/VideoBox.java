package touchline.overlay;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import touchline.media.FrameView;
import touchline.overlay.BoxFrame.RowPair;

/** One frame of an overlay stream, scaled to its box, for any opacity. Immutable, any thread. */
public final class VideoBox {
    private static final int PLANES = 3;

    private final Canvas canvas;

    // Position on the canvas: column, and pair of rows.
    private final int left;
    private final int firstPair;

    /** Luma rows, two per pair. */
    private final byte[][] luma;

    private final byte[][] u;
    private final byte[][] v;

    private VideoBox(Canvas canvas, int left, int firstPair, int pairs) {
        this.canvas = canvas;
        this.left = left;
        this.firstPair = firstPair;
        luma = new byte[2 * pairs][];
        u = new byte[pairs][];
        v = new byte[pairs][];
    }

    /** Rounds a box to the chroma grid: edges move by at most one pixel. */
    public static CanvasBox even(CanvasBox box) {
        return new CanvasBox(
                box.x() & ~1,
                box.y() & ~1,
                Math.max(2, (box.width() + 1) & ~1),
                Math.max(2, (box.height() + 1) & ~1));
    }

    /**
     * Copies the part of a frame that lies on the canvas.
     *
     * @param box even, of the frame's size
     * @param frame in the canvas' colours; valid during the call
     */
    public static VideoBox of(Canvas canvas, CanvasBox box, FrameView frame) {
        if (!box.equals(even(box))
                || box.width() != frame.width()
                || box.height() != frame.height()) {
            throw new IllegalArgumentException(
                    "frame: %dx%d in %s".formatted(frame.width(), frame.height(), box));
        }
        int left = Math.clamp(box.x(), 0, canvas.width());
        int right = Math.clamp(box.x() + (long) box.width(), left, canvas.width());
        int top = Math.clamp(box.y(), 0, canvas.height());
        int bottom = Math.clamp(box.y() + (long) box.height(), top, canvas.height());
        int pairs = right > left ? (bottom - top) / 2 : 0;
        VideoBox made = new VideoBox(canvas, left, top / 2, pairs);
        for (int i = 0; i < pairs; i++) {
            int row = top - box.y() + 2 * i;
            int column = left - box.x();
            made.luma[2 * i] = row(frame, 0, row, column, right - left);
            made.luma[2 * i + 1] = row(frame, 0, row + 1, column, right - left);
            made.u[i] = row(frame, 1, row / 2, column / 2, (right - left) / 2);
            made.v[i] = row(frame, PLANES - 1, row / 2, column / 2, (right - left) / 2);
        }
        return made;
    }

    private static byte[] row(FrameView frame, int plane, int row, int column, int count) {
        FrameView.Plane from = frame.planes().get(plane);
        byte[] copy = new byte[count];
        MemorySegment.copy(
                from.samples(),
                ValueLayout.JAVA_BYTE,
                (long) row * from.strideBytes() + column,
                copy,
                0,
                count);
        return copy;
    }

    public Canvas canvas() {
        return canvas;
    }

    /**
     * The content for blending.
     *
     * @param opacity 0 to 1
     */
    public BoxFrame shown(double opacity) {
        int alpha = (int) Math.round(opacity * BlendRow.OPAQUE);
        RowPair[] pairs = new RowPair[u.length];
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] =
                    new RowPair(
                            BlendRow.even(left, luma[2 * i], alpha),
                            BlendRow.even(left, luma[2 * i + 1], alpha),
                            BlendRow.even(left / 2, u[i], alpha),
                            BlendRow.even(left / 2, v[i], alpha));
        }
        return new BoxFrame(canvas, firstPair, pairs);
    }
}
