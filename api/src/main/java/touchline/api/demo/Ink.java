package touchline.api.demo;

/**
 * A colour as BT.709 in video range codes it (Rec. ITU-R BT.709-6, 3 and 4). Immutable.
 *
 * @param y 16 to 235
 * @param u 16 to 240
 * @param v 16 to 240
 */
record Ink(int y, int u, int v) {
    static final Ink WHITE = ofRgb(0xF4F4F4);
    static final Ink BLACK = ofRgb(0x000000);

    /**
     * @param rgb red in the highest of three bytes, full range
     */
    static Ink ofRgb(int rgb) {
        double red = (rgb >> 16 & 0xFF) / 255.0;
        double green = (rgb >> 8 & 0xFF) / 255.0;
        double blue = (rgb & 0xFF) / 255.0;
        double luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        int y = (int) Math.round(16 + 219 * luma);
        int u = (int) Math.round(128 + 224 * (blue - luma) / 1.8556);
        int v = (int) Math.round(128 + 224 * (red - luma) / 1.5748);
        return new Ink(y, u, v);
    }
}
