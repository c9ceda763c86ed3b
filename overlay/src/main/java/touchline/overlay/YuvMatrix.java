package touchline.overlay;

import touchline.media.ffmpeg.Colour;

/**
 * Converts RGB to YCbCr of 8 bits (ISO/IEC 23091-2, 8.3, equations 1 to 9) in integers, for
 * premultiplied pixels. Results are sample times alpha, 0 to 65,025, so that no division by alpha
 * is needed. Immutable, any thread.
 */
final class YuvMatrix {
    private static final int SHIFT = 12;
    private static final int HALF = 1 << (SHIFT - 1);
    private static final int MATRIX_BT709 = 1;

    private final int lumaOffset;
    private final int yRed;
    private final int yGreen;
    private final int yBlue;
    private final int uRed;
    private final int uGreen;
    private final int uBlue;
    private final int vRed;
    private final int vGreen;
    private final int vBlue;

    private YuvMatrix(int lumaOffset, double kr, double kb, double lumaSpan, double chromaSpan) {
        double kg = 1 - kr - kb;
        this.lumaOffset = lumaOffset;
        yRed = scaled(lumaSpan * kr);
        yGreen = scaled(lumaSpan * kg);
        yBlue = scaled(lumaSpan * kb);
        double cb = chromaSpan / 2 / (1 - kb);
        double cr = chromaSpan / 2 / (1 - kr);
        uRed = scaled(-cb * kr);
        uGreen = scaled(-cb * kg);
        uBlue = scaled(cb * (1 - kb));
        vRed = scaled(cr * (1 - kr));
        vGreen = scaled(-cr * kg);
        vBlue = scaled(-cr * kb);
    }

    /** The matrix of a fully specified colour. */
    static YuvMatrix of(Colour colour) {
        boolean hd = colour.matrix() == MATRIX_BT709;
        double kr = hd ? 0.2126 : 0.299;
        double kb = hd ? 0.0722 : 0.114;
        return colour.fullRange()
                ? new YuvMatrix(0, kr, kb, 255, 255)
                : new YuvMatrix(16, kr, kb, 219, 224);
    }

    /** Luma times alpha of a premultiplied pixel. */
    int lumaTerm(int red, int green, int blue, int alpha) {
        return lumaOffset * alpha + ((yRed * red + yGreen * green + yBlue * blue + HALF) >> SHIFT);
    }

    /** Cb times alpha; also for sums of four pixels. */
    int uTerm(int red, int green, int blue, int alpha) {
        return 128 * alpha + ((uRed * red + uGreen * green + uBlue * blue + HALF) >> SHIFT);
    }

    /** Cr times alpha; also for sums of four pixels. */
    int vTerm(int red, int green, int blue, int alpha) {
        return 128 * alpha + ((vRed * red + vGreen * green + vBlue * blue + HALF) >> SHIFT);
    }

    private static int scaled(double coefficient) {
        return (int) Math.round(coefficient * (1 << SHIFT));
    }
}
