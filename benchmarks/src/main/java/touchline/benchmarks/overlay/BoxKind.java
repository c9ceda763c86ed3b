package touchline.benchmarks.overlay;

import java.util.Locale;

/** What lies over the picture: 640x160, half of it half transparent. */
enum BoxKind {
    /** The same for all pictures. */
    STATIC,
    /** Another one for each picture. */
    ANIMATED;

    static final int WIDTH = 640;
    static final int HEIGHT = 160;
    static final int X = 64;
    static final int Y = 40;

    /** Pictures after which an animated box begins anew. */
    static final int LOOP = 60;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Premultiplied R, G, B, A bytes of one picture of the box. */
    static byte[] pixels(int index) {
        byte[] pixels = new byte[WIDTH * HEIGHT * 4];
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                int alpha = x < WIDTH / 2 ? 255 : 128;
                int at = 4 * (y * WIDTH + x);
                pixels[at] = (byte) ((x + 4 * index) % 256 * alpha / 255);
                pixels[at + 1] = (byte) ((y * 2 + index) % 256 * alpha / 255);
                pixels[at + 2] = (byte) (alpha / 2);
                pixels[at + 3] = (byte) alpha;
            }
        }
        return pixels;
    }

    /** The same with colours that are not multiplied with alpha, as ffmpeg wants them. */
    static byte[] straight(byte[] premultiplied) {
        byte[] straight = premultiplied.clone();
        for (int at = 0; at < straight.length; at += 4) {
            int alpha = straight[at + 3] & 0xFF;
            for (int i = at; i < at + 3; i++) {
                straight[i] = (byte) Math.min(255, (straight[i] & 0xFF) * 255 / alpha);
            }
        }
        return straight;
    }
}
