package touchline.api.demo;

/** A frame being painted in RGB, 8 bits each, before it becomes a {@link Canvas}. One thread. */
final class RgbSurface {
    private final int width;
    private final int height;
    private final int[] pixels;

    /** A place in samples. */
    record Point(double x, double y) {}

    RgbSurface(int width, int height) {
        this.width = width;
        this.height = height;
        this.pixels = new int[width * height];
    }

    /** Brightness times {@code light}, cut at white. */
    static int lit(int rgb, double light) {
        return pack(
                (int) ((rgb >> 16 & 0xFF) * light),
                (int) ((rgb >> 8 & 0xFF) * light),
                (int) ((rgb & 0xFF) * light));
    }

    void set(int x, int y, int red, int green, int blue) {
        pixels[y * width + x] = pack(red, green, blue);
    }

    void box(int left, int top, int boxWidth, int boxHeight, int rgb) {
        for (int y = Math.max(0, top); y < Math.min(height, top + boxHeight); y++) {
            for (int x = Math.max(0, left); x < Math.min(width, left + boxWidth); x++) {
                pixels[y * width + x] = rgb;
            }
        }
    }

    void text(int left, int top, int scale, String text, int rgb) {
        for (int i = 0; i < text.length(); i++) {
            for (int row = 0; row < BitmapFont.ROWS; row++) {
                for (int column = 0; column < BitmapFont.COLUMNS; column++) {
                    if (BitmapFont.dot(text.charAt(i), column, row)) {
                        int x = left + (i * BitmapFont.ADVANCE + column) * scale;
                        box(x, top + row * scale, scale, scale, rgb);
                    }
                }
            }
        }
    }

    /** A line with soft edges and round ends. */
    void line(Point from, Point to, double thickness, int rgb) {
        double reach = thickness / 2 + 1;
        int left = (int) Math.max(0, Math.min(from.x, to.x) - reach);
        int right = (int) Math.min(width - 1.0, Math.max(from.x, to.x) + reach);
        int top = (int) Math.max(0, Math.min(from.y, to.y) - reach);
        int bottom = (int) Math.min(height - 1.0, Math.max(from.y, to.y) + reach);
        for (int y = top; y <= bottom; y++) {
            for (int x = left; x <= right; x++) {
                double distance = distance(x + 0.5, y + 0.5, from, to);
                double cover = Math.clamp(thickness / 2 + 0.5 - distance, 0, 1);
                if (cover > 0) {
                    mix(y * width + x, rgb, cover * Math.min(1, thickness));
                }
            }
        }
    }

    static double distance(double x, double y, Point from, Point to) {
        double dx = to.x - from.x;
        double dy = to.y - from.y;
        double length = dx * dx + dy * dy;
        double along = length == 0 ? 0 : ((x - from.x) * dx + (y - from.y) * dy) / length;
        double at = Math.clamp(along, 0, 1);
        return Math.hypot(x - from.x - at * dx, y - from.y - at * dy);
    }

    /** Chroma is the mean of four pixels. */
    Canvas toCanvas() {
        Canvas canvas = new Canvas(width, height);
        int[] luma = new int[4];
        for (int y = 0; y < height; y += 2) {
            for (int x = 0; x < width; x += 2) {
                int u = 0;
                int v = 0;
                for (int i = 0; i < 4; i++) {
                    Ink ink = Ink.ofRgb(pixels[(y + (i >> 1)) * width + x + (i & 1)]);
                    luma[i] = ink.y();
                    u += ink.u();
                    v += ink.v();
                }
                canvas.putQuad(x, y, luma, (u + 2) / 4, (v + 2) / 4);
            }
        }
        return canvas;
    }

    private void mix(int at, int rgb, double cover) {
        int under = pixels[at];
        pixels[at] =
                pack(
                        blend(under >> 16 & 0xFF, rgb >> 16 & 0xFF, cover),
                        blend(under >> 8 & 0xFF, rgb >> 8 & 0xFF, cover),
                        blend(under & 0xFF, rgb & 0xFF, cover));
    }

    private static int blend(int under, int over, double cover) {
        return (int) Math.round(under + (over - under) * cover);
    }

    private static int pack(int red, int green, int blue) {
        return Math.clamp(red, 0, 255) << 16
                | Math.clamp(green, 0, 255) << 8
                | Math.clamp(blue, 0, 255);
    }
}
