package touchline.api.demo;

/**
 * A small figure with soft edges, made for places of one parity, since chroma lies on every second
 * sample. One thread.
 */
final class Sprite {
    private final int width;
    private final int height;
    private final int chromaWidth;
    private final Layer luma;
    private final Layer chromaU;
    private final Layer chromaV;

    /** Samples and their coverage, 0 to 255, row by row. */
    static final class Layer {
        private final byte[] value;
        private final byte[] alpha;

        Layer(int size) {
            this.value = new byte[size];
            this.alpha = new byte[size];
        }

        byte[] value() {
            return value;
        }

        byte[] alpha() {
            return alpha;
        }
    }

    private Sprite(Cutout cutout, boolean oddX, boolean oddY) {
        this.width = cutout.width();
        this.height = cutout.height();
        this.chromaWidth = (width + (oddX ? 1 : 0) + 1) / 2;
        int chromaHeight = (height + (oddY ? 1 : 0) + 1) / 2;
        this.luma = new Layer(width * height);
        this.chromaU = new Layer(chromaWidth * chromaHeight);
        this.chromaV = new Layer(chromaWidth * chromaHeight);
    }

    /** Chroma is the mean of up to four pixels, weighted by what they cover. */
    static Sprite of(Cutout cutout, boolean oddX, boolean oddY) {
        Sprite sprite = new Sprite(cutout, oddX, oddY);
        int chromaSize = sprite.chromaU.value.length;
        int[] alphas = new int[chromaSize];
        int[] us = new int[chromaSize];
        int[] vs = new int[chromaSize];
        for (int y = 0; y < sprite.height; y++) {
            for (int x = 0; x < sprite.width; x++) {
                int at = y * sprite.width + x;
                int argb = cutout.at(at);
                int alpha = argb >>> 24;
                if (alpha != 0) {
                    Ink ink = Ink.ofRgb(argb);
                    sprite.luma.alpha[at] = (byte) alpha;
                    sprite.luma.value[at] = (byte) ink.y();
                    int chromaY = (y + (oddY ? 1 : 0)) / 2;
                    int chroma = chromaY * sprite.chromaWidth + (x + (oddX ? 1 : 0)) / 2;
                    alphas[chroma] += alpha;
                    us[chroma] += alpha * ink.u();
                    vs[chroma] += alpha * ink.v();
                }
            }
        }
        for (int i = 0; i < chromaSize; i++) {
            if (alphas[i] > 0) {
                sprite.chromaU.alpha[i] = (byte) (alphas[i] / 4);
                sprite.chromaV.alpha[i] = (byte) (alphas[i] / 4);
                sprite.chromaU.value[i] = (byte) (us[i] / alphas[i]);
                sprite.chromaV.value[i] = (byte) (vs[i] / alphas[i]);
            }
        }
        return sprite;
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    int chromaWidth() {
        return chromaWidth;
    }

    int chromaHeight() {
        return chromaU.value().length / chromaWidth;
    }

    Layer luma() {
        return luma;
    }

    Layer chromaU() {
        return chromaU;
    }

    Layer chromaV() {
        return chromaV;
    }
}
