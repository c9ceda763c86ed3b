package touchline.overlay;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import touchline.overlay.BoxFrame.RowPair;

/**
 * Converts premultiplied RGBA pixels of a box to YUV rows for blending. Converts changed rows only,
 * once per change. Chroma is the alpha-weighted mean of its four pixels, on the canvas' chroma
 * grid. One thread.
 */
public final class BoxConverter {
    /** Red in the lowest byte, alpha in the highest. */
    private static final ValueLayout.OfInt RGBA =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int OPAQUE = 255;

    /** Two bytes of a pixel, 16 bits apart. */
    private static final int RED_BLUE = 0xFF00FF;

    private final Canvas canvas;
    private final CanvasBox box;
    private final int opacity;
    private final YuvMatrix matrix;

    // Part of the canvas that the box covers, in pixels.
    private final int left;
    private final int right;
    private final int top;
    private final int bottom;

    // Two rows of pixels, from the even column at or before the left edge; pixels outside are 0.
    private final int firstColumn;
    private final int[] upper;
    private final int[] lower;
    private final int[] clear;
    private final char[] terms;
    private final char[] terms2;
    private final byte[] keeps;

    private @Nullable BoxFrame last;

    /**
     * @param opacityPercent opacity of the whole box, 0 to 100
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
        this.clear = new int[columns];
        this.terms = new char[columns];
        this.terms2 = new char[columns];
        this.keeps = new byte[columns];
    }

    public CanvasBox box() {
        return box;
    }

    /**
     * R, G, B, A bytes, rows from the top, premultiplied.
     *
     * @param pixels valid during a call
     * @param strideBytes distance of rows
     */
    public record Pixels(MemorySegment pixels, int strideBytes) {}

    /**
     * Converts the box.
     *
     * @param pixels pixels of the whole box
     * @param firstRow first row of the box that differs from the last call
     * @param rows number of rows; the first call converts all
     */
    public BoxFrame convert(Pixels pixels, int firstRow, int rows) {
        int firstPair = top / 2;
        int count = right > left ? (bottom + 1) / 2 - firstPair : 0;
        BoxFrame before = last;
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
        BoxFrame converted = new BoxFrame(canvas, firstPair, pairs);
        last = converted;
        return converted;
    }

    private RowPair pair(Pixels pixels, int canvasRow) {
        load(pixels, canvasRow, upper);
        load(pixels, canvasRow + 1, lower);
        // Most of a page is transparent: only the columns in between are converted.
        int from = Math.min(firstShown(upper), firstShown(lower)) & ~1;
        int to = (Math.max(endOfShown(upper, from), endOfShown(lower, from)) + 1) & ~1;
        if (opacity == 0 || from >= to) {
            return RowPair.NONE;
        }
        BlendRow y0 = luma(upper, from, to);
        BlendRow y1 = luma(lower, from, to);
        chroma(from, to);
        int start = (firstColumn + from) / 2;
        int half = (to - from) / 2;
        return new RowPair(
                y0,
                y1,
                BlendRow.of(start, terms, keeps, half),
                BlendRow.of(start, terms2, keeps, half));
    }

    private int firstShown(int[] row) {
        int first = Arrays.mismatch(row, clear);
        return first < 0 ? row.length : first;
    }

    private static int endOfShown(int[] row, int from) {
        int end = row.length;
        while (end > from && row[end - 1] == 0) {
            end--;
        }
        return end;
    }

    /** Loads the pixels of one canvas row. */
    private void load(Pixels pixels, int canvasRow, int[] row) {
        if (canvasRow < top || canvasRow >= bottom) {
            Arrays.fill(row, 0);
            return;
        }
        long offset = (long) (canvasRow - box.y()) * pixels.strideBytes();
        MemorySegment.copy(
                pixels.pixels(),
                RGBA,
                offset + (long) (left - box.x()) * Integer.BYTES,
                row,
                left - firstColumn,
                right - left);
    }

    private BlendRow luma(int[] row, int from, int to) {
        YuvMatrix yuv = matrix;
        for (int i = from; i < to; i++) {
            int pixel = row[i];
            int alpha = pixel >>> 24;
            int term = yuv.lumaTerm(pixel & 0xFF, (pixel >> 8) & 0xFF, (pixel >> 16) & 0xFF, alpha);
            store(terms, i - from, term, alpha);
        }
        return BlendRow.of(firstColumn + from, terms, keeps, to - from);
    }

    /**
     * Sums four pixels, then divides by four. One int holds the sums of red and blue, another green
     * and alpha: each sum fits 16 bits.
     */
    private void chroma(int from, int to) {
        YuvMatrix yuv = matrix;
        for (int i = from; i < to; i += 2) {
            int redBlue =
                    (upper[i] & RED_BLUE)
                            + (upper[i + 1] & RED_BLUE)
                            + (lower[i] & RED_BLUE)
                            + (lower[i + 1] & RED_BLUE);
            int greenAlpha =
                    ((upper[i] >>> 8) & RED_BLUE)
                            + ((upper[i + 1] >>> 8) & RED_BLUE)
                            + ((lower[i] >>> 8) & RED_BLUE)
                            + ((lower[i + 1] >>> 8) & RED_BLUE);
            int red = redBlue & 0xFFFF;
            int green = greenAlpha & 0xFFFF;
            int blue = redBlue >>> 16;
            int alpha = greenAlpha >>> 16;
            int mean = (alpha + 2) >> 2;
            int at = (i - from) / 2;
            store(terms, at, (yuv.uTerm(red, green, blue, alpha) + 2) >> 2, mean);
            store(terms2, at, (yuv.vTerm(red, green, blue, alpha) + 2) >> 2, mean);
        }
    }

    /** Applies the box's opacity and clamps to the value of white at this alpha. */
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
