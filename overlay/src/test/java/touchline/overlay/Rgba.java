package touchline.overlay;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Premultiplied pixels of a box, as a page delivers them, with padding behind each row. */
final class Rgba {
    private static final int PADDING = 12;

    private final CanvasBox box;
    private final int strideBytes;
    private final MemorySegment pixels;

    private Rgba(CanvasBox box) {
        this.box = box;
        this.strideBytes = 4 * box.width() + PADDING;
        this.pixels = Arena.ofAuto().allocate((long) strideBytes * box.height());
    }

    static Rgba filled(CanvasBox box, int red, int green, int blue, int alpha) {
        Rgba filled = new Rgba(box);
        for (int y = 0; y < box.height(); y++) {
            filled.fillRow(y, red, green, blue, alpha);
        }
        return filled;
    }

    void fillRow(int y, int red, int green, int blue, int alpha) {
        for (int x = 0; x < box.width(); x++) {
            set(x, y, red, green, blue, alpha);
        }
    }

    void set(int x, int y, int red, int green, int blue, int alpha) {
        long at = (long) y * strideBytes + 4L * x;
        pixels.set(ValueLayout.JAVA_BYTE, at, (byte) red);
        pixels.set(ValueLayout.JAVA_BYTE, at + 1, (byte) green);
        pixels.set(ValueLayout.JAVA_BYTE, at + 2, (byte) blue);
        pixels.set(ValueLayout.JAVA_BYTE, at + 3, (byte) alpha);
    }

    BoxConverter.Pixels pixels() {
        return new BoxConverter.Pixels(pixels, strideBytes);
    }
}
