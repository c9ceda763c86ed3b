package touchline.media.ffmpeg;

import java.lang.foreign.ValueLayout;
import java.util.Random;
import touchline.media.PictureView;

/** Pictures with a known content: slanted luma waves that move, and two slow chroma ramps. */
final class TestPictures {
    private TestPictures() {}

    static void draw(Picture picture, int index) {
        PictureFormat format = picture.format();
        fill(picture.planes().get(0), format.width(), format.height(), (x, y) -> luma(x, y, index));
        fill(
                picture.planes().get(1),
                format.chromaWidth(),
                format.chromaHeight(),
                (x, _) -> 90 + 70 * x / format.chromaWidth());
        fill(
                picture.planes().get(2),
                format.chromaWidth(),
                format.chromaHeight(),
                (_, y) -> 160 - 70 * y / format.chromaHeight());
    }

    /** The same samples everywhere. */
    static void flat(Picture picture, int y, int u, int v) {
        PictureFormat format = picture.format();
        fill(picture.planes().get(0), format.width(), format.height(), (_, _) -> y);
        fill(picture.planes().get(1), format.chromaWidth(), format.chromaHeight(), (_, _) -> u);
        fill(picture.planes().get(2), format.chromaWidth(), format.chromaHeight(), (_, _) -> v);
    }

    /** Fine detail, which costs bytes by quality. */
    static void noise(Picture picture) {
        Random random = new Random(3);
        PictureFormat format = picture.format();
        flat(picture, 128, 128, 128);
        fill(
                picture.planes().getFirst(),
                format.width(),
                format.height(),
                (_, _) -> 96 + random.nextInt(64));
    }

    /** Adds fine detail that no other picture has. */
    static void shade(Picture picture, int index) {
        Random random = new Random(index);
        PictureFormat format = picture.format();
        fill(
                picture.planes().getFirst(),
                format.width(),
                format.height(),
                (_, _) -> 96 + random.nextInt(64));
    }

    private static int luma(int x, int y, int index) {
        return (int) Math.round(128 + 80 * Math.sin((x + y * 0.5 + index * 6) / 17.0));
    }

    /** Peak signal to noise ratio of luma in dB; identical pictures give infinity. */
    static double psnr(Picture one, Picture other) {
        PictureView.Plane a = one.planes().getFirst();
        PictureView.Plane b = other.planes().getFirst();
        double sum = 0;
        for (int y = 0; y < one.format().height(); y++) {
            for (int x = 0; x < one.format().width(); x++) {
                int difference = sample(a, x, y) - sample(b, x, y);
                sum += difference * difference;
            }
        }
        double mean = sum / ((double) one.format().width() * one.format().height());
        return 10 * Math.log10(255.0 * 255.0 / mean);
    }

    static int sample(PictureView.Plane plane, int x, int y) {
        long offset = (long) y * plane.strideBytes() + x;
        return plane.samples().get(ValueLayout.JAVA_BYTE, offset) & 0xFF;
    }

    private static void fill(PictureView.Plane plane, int width, int height, Sample sample) {
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                plane.samples()
                        .set(
                                ValueLayout.JAVA_BYTE,
                                (long) y * plane.strideBytes() + x,
                                (byte) sample.at(x, y));
            }
        }
    }

    private interface Sample {
        int at(int x, int y);
    }
}
