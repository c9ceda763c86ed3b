package touchline.overlay;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import touchline.overlay.BoxPicture.RowPair;

/**
 * Premultiplied pixels of a box to what is blended into a canvas. Only rows that have changed are
 * converted, once for each change. Chroma is the mean of the four pixels that share it, weighed by
 * their alpha, whatever the box's place on the canvas. One thread.
 */
public final class BoxConverter {
    /** Red in the lowest byte, alpha in the highest. */
    private static final ValueLayout.OfInt RGBA =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int OPAQUE = 255;

    private final Canvas canvas;
    private final CanvasBox box;
    private final int opacity;
    private final YuvMatrix matrix;

    // Where the box covers the canvas: columns and rows of the canvas, and pairs of rows.
    private final int left;
    private final int right;
    private final int top;
    private final int bottom;

    // Two rows of pixels from the even column at or before the left edge on; what is outside is 0.
    private final int firstColumn;
    private final int[] upper;
    private final int[] lower;
    private final char[] terms;
    private final char[] terms2;
    private final byte[] keeps;

    private @Nullable BoxPicture last;

    /**
     * @param opacityPercent of the whole box, 0 to 100
     */
    public BoxConverter(Canvas canvas, CanvasBox box, double opacityPercent) {
        this.canvas = canvas;
        this.box = box;
        this.opacity = (int) Math.round(opacityPercent * OPAQUE / 100);
        this.matrix = YuvMatrix.of(canvas.colour());
        this.left = Math.clamp(box.x(), 0, canvas.width());
        this.right = Math.clamp(box.x() + box.width(), left, canvas.width());
        this.top = Math.clamp(box.y(), 0, canvas.height());
        this.bottom = Math.clamp(box.y() + box.height(), top, canvas.height());
        this.firstColumn = left & ~1;
        int columns = ((right + 1) & ~1) - firstColumn;
        this.upper = new int[columns];
        this.lower = new int[columns];
        this.terms = new char[columns];
        this.terms2 = new char[columns];
        this.keeps = new byte[columns];
    }

    public CanvasBox box() {
        return box;
    }

    /**
     * Pixels as R, G, B, A bytes, rows from the top, colours already multiplied with their alpha.
     *
     * @param pixels lent for a call
     * @param strideBytes from row to row
     */
    public record Pixels(MemorySegment pixels, int strideBytes) {}

    /**
     * The box with these pixels.
     *
     * @param pixels of all of the box
     * @param firstRow of the box, from which on they differ from the last ones
     * @param rows how many; the first call converts all
     */
    public BoxPicture convert(Pixels pixels, int firstRow, int rows) {
        int firstPair = top / 2;
        int count = right > left ? (bottom + 1) / 2 - firstPair : 0;
        BoxPicture before = last;
        RowPair[] pairs = new RowPair[Math.max(0, count)];
        int from = 0;
        int to = pairs.length;
        if (before != null) {
            System.arraycopy(before.pairs(), 0, pairs, 0, pairs.length);
            from = Math.clamp((box.y() + (long) firstRow) / 2 - firstPair, 0, pairs.length);
            long end = (box.y() + (long) firstRow + rows + 1) / 2 - firstPair;
            to = Math.clamp(end, from, pairs.length);
        }
        for (int i = from; i < to; i++) {
            pairs[i] = pair(pixels, 2 * (firstPair + i));
        }
        BoxPicture converted = new BoxPicture(canvas, firstPair, pairs);
        last = converted;
        return converted;
    }

    private RowPair pair(Pixels pixels, int canvasRow) {
        boolean upperShows = load(pixels, canvasRow, upper);
        boolean lowerShows = load(pixels, canvasRow + 1, lower);
        if (opacity == 0 || !(upperShows || lowerShows)) {
            return RowPair.NONE;
        }
        BlendRow y0 = luma(upper);
        BlendRow y1 = luma(lower);
        int half = upper.length / 2;
        for (int i = 0; i < half; i++) {
            chroma(i);
        }
        int start = firstColumn / 2;
        return new RowPair(
                y0,
                y1,
                BlendRow.of(start, terms, keeps, half),
                BlendRow.of(start, terms2, keeps, half));
    }

    /** Copies a row of the canvas, as far as the box covers it; false where it is all clear. */
    private boolean load(Pixels pixels, int canvasRow, int[] row) {
        Arrays.fill(row, 0);
        if (canvasRow < top || canvasRow >= bottom) {
            return false;
        }
        long offset = (long) (canvasRow - box.y()) * pixels.strideBytes();
        MemorySegment.copy(
                pixels.pixels(),
                RGBA,
                offset + (long) (left - box.x()) * Integer.BYTES,
                row,
                left - firstColumn,
                right - left);
        int all = 0;
        for (int pixel : row) {
            all |= pixel;
        }
        return all != 0;
    }

    private BlendRow luma(int[] row) {
        for (int i = 0; i < row.length; i++) {
            int pixel = row[i];
            int alpha = pixel >>> 24;
            int term =
                    matrix.lumaTerm(pixel & 0xFF, (pixel >> 8) & 0xFF, (pixel >> 16) & 0xFF, alpha);
            store(terms, i, term, alpha);
        }
        return BlendRow.of(firstColumn, terms, keeps, row.length);
    }

    /** The sums of four pixels, a quarter of which counts. */
    private void chroma(int index) {
        int red = 0;
        int green = 0;
        int blue = 0;
        int alpha = 0;
        for (int i = 0; i < 4; i++) {
            int pixel = (i < 2 ? upper : lower)[2 * index + (i & 1)];
            red += pixel & 0xFF;
            green += (pixel >> 8) & 0xFF;
            blue += (pixel >> 16) & 0xFF;
            alpha += pixel >>> 24;
        }
        int mean = (alpha + 2) >> 2;
        store(terms, index, (matrix.uTerm(red, green, blue, alpha) + 2) >> 2, mean);
        store(terms2, index, (matrix.vTerm(red, green, blue, alpha) + 2) >> 2, mean);
    }

    /** With the box's opacity; never above what white of this alpha would be. */
    private void store(char[] row, int index, int term, int alpha) {
        int shown = alpha;
        int shownTerm = term;
        if (opacity != OPAQUE) {
            shown = BlendRow.div255(alpha * opacity + OPAQUE / 2);
            shownTerm = (term * opacity + OPAQUE / 2) / OPAQUE;
        }
        row[index] = (char) Math.clamp(shownTerm, 0, shown * OPAQUE);
        keeps[index] = (byte) (OPAQUE - shown);
    }
}
