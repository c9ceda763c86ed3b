package touchline.overlay;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import touchline.media.PictureView;
import touchline.overlay.BoxPicture.RowPair;

/**
 * Pictures of a second video, scaled to their box and of the canvas' colours, as what is blended.
 * The box begins at an even column and row, a pixel beside what was asked for at most, so that
 * chroma needs no filter. One thread.
 */
public final class VideoBox {
    private static final int OPAQUE = 255;

    private final Canvas canvas;
    private final int x;
    private final int y;
    private final int width;
    private final int height;

    /** What is beyond the canvas is cut. */
    public VideoBox(Canvas canvas, CanvasBox box) {
        this.canvas = canvas;
        this.x = box.x() & ~1;
        this.y = box.y() & ~1;
        this.width = even(box.width());
        this.height = even(box.height());
    }

    /** What pictures have to be scaled to: even. */
    public int width() {
        return width;
    }

    /** What pictures have to be scaled to: even. */
    public int height() {
        return height;
    }

    /**
     * One picture in the box.
     *
     * @param picture of the box's size, lent for the call
     * @param opacityPercent 0 to 100
     */
    public BoxPicture of(PictureView picture, double opacityPercent) {
        if (picture.width() != width || picture.height() != height) {
            throw new IllegalArgumentException(
                    "picture: %dx%d (expected: %dx%d)"
                            .formatted(picture.width(), picture.height(), width, height));
        }
        int alpha = (int) Math.round(opacityPercent * OPAQUE / 100);
        int top = Math.clamp(y, 0, canvas.height());
        int bottom = Math.clamp(y + (long) height, top, canvas.height());
        int left = Math.clamp(x, 0, canvas.width());
        int right = Math.clamp(x + (long) width, left, canvas.width());
        RowPair[] pairs = new RowPair[alpha == 0 || left == right ? 0 : (bottom - top) / 2];
        Cut luma = new Cut(left, left - x, right - left, alpha);
        Cut chroma = new Cut(left / 2, (left - x) / 2, (right - left) / 2, alpha);
        for (int i = 0; i < pairs.length; i++) {
            int row = top - y + 2 * i;
            pairs[i] =
                    new RowPair(
                            luma.row(picture.planes().get(0), row),
                            luma.row(picture.planes().get(0), row + 1),
                            chroma.row(picture.planes().get(1), row / 2),
                            chroma.row(picture.planes().get(2), row / 2));
        }
        return new BoxPicture(canvas, top / 2, pairs);
    }

    private static int even(int side) {
        return Math.max(2, side & ~1);
    }

    /** The part of each row that lies on the canvas. */
    private static final class Cut {
        private final int start;
        private final int from;
        private final int alpha;
        private final byte[] samples;
        private final char[] terms;
        private final byte[] keeps;

        Cut(int start, int from, int length, int alpha) {
            this.start = start;
            this.from = from;
            this.alpha = alpha;
            this.samples = new byte[length];
            this.terms = new char[length];
            this.keeps = new byte[length];
            Arrays.fill(keeps, (byte) (OPAQUE - alpha));
        }

        BlendRow row(PictureView.Plane plane, int row) {
            MemorySegment.copy(
                    plane.samples(),
                    ValueLayout.JAVA_BYTE,
                    (long) row * plane.strideBytes() + from,
                    samples,
                    0,
                    samples.length);
            for (int i = 0; i < samples.length; i++) {
                terms[i] = (char) ((samples[i] & 0xFF) * alpha);
            }
            return BlendRow.of(start, terms, keeps, samples.length);
        }
    }
}
