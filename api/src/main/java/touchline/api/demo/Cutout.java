package touchline.api.demo;

/** A small figure in colour with soft edges, before it becomes a {@link Sprite}. Immutable. */
final class Cutout {
    private static final int OVERSAMPLING = 3;

    private final int width;
    private final int height;
    private final int[] argb;

    /** What a figure looks like at a point, in pixels from its left upper corner. */
    interface Shape {
        /** Colour with coverage in the highest byte: 0xAARRGGBB; 0 is nothing. */
        int at(double x, double y);
    }

    /** Samples the shape nine times a pixel. */
    Cutout(int width, int height, Shape shape) {
        this.width = width;
        this.height = height;
        this.argb = new int[width * height];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                argb[y * width + x] = mean(shape, x, y);
            }
        }
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    /** 0xAARRGGBB of a pixel, counted row by row. */
    int at(int index) {
        return argb[index];
    }

    private static int mean(Shape shape, int x, int y) {
        int alpha = 0;
        int red = 0;
        int green = 0;
        int blue = 0;
        for (int row = 0; row < OVERSAMPLING; row++) {
            for (int column = 0; column < OVERSAMPLING; column++) {
                int seen =
                        shape.at(x + (column + 0.5) / OVERSAMPLING, y + (row + 0.5) / OVERSAMPLING);
                int part = seen >>> 24;
                alpha += part;
                red += part * (seen >> 16 & 0xFF);
                green += part * (seen >> 8 & 0xFF);
                blue += part * (seen & 0xFF);
            }
        }
        if (alpha == 0) {
            return 0;
        }
        int cover = alpha / (OVERSAMPLING * OVERSAMPLING);
        return (cover << 24) | ((red / alpha) << 16) | ((green / alpha) << 8) | (blue / alpha);
    }
}
