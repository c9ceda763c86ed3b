package touchline.api.demo;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import touchline.media.FrameView;

/**
 * A frame being drawn: YUV 4:2:0 planes on the heap, rows without padding. Everything outside is
 * clipped. One thread.
 */
final class Canvas {
    private final int width;
    private final int height;
    private final byte[] y;
    private final byte[] u;
    private final byte[] v;

    /** Both sides even. */
    Canvas(int width, int height) {
        this.width = width;
        this.height = height;
        this.y = new byte[width * height];
        this.u = new byte[width * height / 4];
        this.v = new byte[width * height / 4];
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    /** Luma at a place, 0 to 255. */
    int luma(int atX, int atY) {
        return y[atY * width + atX] & 0xFF;
    }

    /** Copies a window of a wider frame of the same height; {@code fromX} is even. */
    void copyWindow(Canvas wide, int fromX) {
        for (int row = 0; row < height; row++) {
            System.arraycopy(wide.y, row * wide.width + fromX, y, row * width, width);
        }
        for (int row = 0; row < height / 2; row++) {
            int from = (row * wide.width + fromX) / 2;
            System.arraycopy(wide.u, from, u, row * width / 2, width / 2);
            System.arraycopy(wide.v, from, v, row * width / 2, width / 2);
        }
    }

    /** A pixel of 2 by 2 luma samples at even places, with their common colour. */
    void putQuad(int atX, int atY, int[] fourLuma, int chromaU, int chromaV) {
        int at = atY * width + atX;
        y[at] = (byte) fourLuma[0];
        y[at + 1] = (byte) fourLuma[1];
        y[at + width] = (byte) fourLuma[2];
        y[at + width + 1] = (byte) fourLuma[3];
        int chroma = atY / 2 * (width / 2) + atX / 2;
        u[chroma] = (byte) chromaU;
        v[chroma] = (byte) chromaV;
    }

    /** A filled box; chroma covers the places that its even corners name. */
    void box(int left, int top, int boxWidth, int boxHeight, Ink ink) {
        int right = Math.min(width, left + boxWidth);
        int bottom = Math.min(height, top + boxHeight);
        for (int row = Math.max(0, top); row < bottom; row++) {
            Arrays.fill(y, row * width + Math.max(0, left), row * width + right, (byte) ink.y());
        }
        for (int row = Math.max(0, top / 2); row < bottom / 2; row++) {
            int from = row * width / 2 + Math.max(0, left / 2);
            int to = row * width / 2 + right / 2;
            Arrays.fill(u, from, to, (byte) ink.u());
            Arrays.fill(v, from, to, (byte) ink.v());
        }
    }

    /** Makes what lies in a box darker and greyer, as behind smoked glass. */
    void shade(int left, int top, int boxWidth, int boxHeight) {
        for (int row = top; row < top + boxHeight; row++) {
            for (int at = row * width + left; at < row * width + left + boxWidth; at++) {
                y[at] = (byte) (16 + (((y[at] & 0xFF) - 16) >> 2));
            }
        }
        for (int row = top / 2; row < (top + boxHeight) / 2; row++) {
            int from = row * width / 2 + left / 2;
            for (int at = from; at < from + boxWidth / 2; at++) {
                u[at] = (byte) (128 + (((u[at] & 0xFF) - 128) >> 2));
                v[at] = (byte) (128 + (((v[at] & 0xFF) - 128) >> 2));
            }
        }
    }

    /**
     * Blends a sprite in.
     *
     * @param left place of its left column; odd where the sprite was made for odd places
     */
    void blend(Sprite sprite, int left, int top) {
        for (int row = 0; row < sprite.height(); row++) {
            if (top + row >= 0 && top + row < height) {
                int at = (top + row) * width + left;
                blendRow(sprite.luma(), row * sprite.width(), y, at, span(sprite, left));
            }
        }
        int chromaLeft = Math.floorDiv(left, 2);
        int chromaTop = Math.floorDiv(top, 2);
        for (int row = 0; row < sprite.chromaHeight(); row++) {
            if (chromaTop + row >= 0 && chromaTop + row < height / 2) {
                int from = row * sprite.chromaWidth();
                int at = (chromaTop + row) * (width / 2) + chromaLeft;
                Span span = Span.clip(chromaLeft, sprite.chromaWidth(), width / 2);
                blendRow(sprite.chromaU(), from, u, at, span);
                blendRow(sprite.chromaV(), from, v, at, span);
            }
        }
    }

    private Span span(Sprite sprite, int left) {
        return Span.clip(left, sprite.width(), width);
    }

    private static void blendRow(Sprite.Layer layer, int from, byte[] plane, int at, Span span) {
        for (int i = span.from(); i < span.to(); i++) {
            int alpha = layer.alpha()[from + i] & 0xFF;
            if (alpha != 0) {
                int under = plane[at + i] & 0xFF;
                int over = layer.value()[from + i] & 0xFF;
                plane[at + i] = (byte) (under + ((over - under) * alpha + 127) / 255);
            }
        }
    }

    /** Copies everything to a frame of the same size. */
    void copyTo(FrameView frame) {
        copyPlane(y, width, height, frame.planes().get(0));
        copyPlane(u, width / 2, height / 2, frame.planes().get(1));
        copyPlane(v, width / 2, height / 2, frame.planes().get(2));
    }

    private static void copyPlane(byte[] from, int width, int rows, FrameView.Plane to) {
        MemorySegment samples = to.samples();
        for (int row = 0; row < rows; row++) {
            long at = (long) row * to.strideBytes();
            MemorySegment.copy(from, row * width, samples, ValueLayout.JAVA_BYTE, at, width);
        }
    }

    /** Which columns of a sprite are inside. */
    private record Span(int from, int to) {
        static Span clip(int left, int spriteWidth, int width) {
            return new Span(Math.max(0, -left), Math.min(spriteWidth, width - left));
        }
    }
}
