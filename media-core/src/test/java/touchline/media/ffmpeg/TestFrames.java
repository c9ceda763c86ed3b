package touchline.media.ffmpeg;

import java.lang.foreign.ValueLayout;
import java.util.Random;
import touchline.media.FrameView;

/** Frames with a known content: slanted luma waves that move, and two slow chroma ramps. */
final class TestFrames {
    private TestFrames() {}

    static void draw(VideoFrame frame, int index) {
        FrameFormat format = frame.format();
        fill(frame.planes().get(0), format.width(), format.height(), (x, y) -> luma(x, y, index));
        fill(
                frame.planes().get(1),
                format.chromaWidth(),
                format.chromaHeight(),
                (x, _) -> 90 + 70 * x / format.chromaWidth());
        fill(
                frame.planes().get(2),
                format.chromaWidth(),
                format.chromaHeight(),
                (_, y) -> 160 - 70 * y / format.chromaHeight());
    }

    /** The same samples everywhere. */
    static void flat(VideoFrame frame, int y, int u, int v) {
        FrameFormat format = frame.format();
        fill(frame.planes().get(0), format.width(), format.height(), (_, _) -> y);
        fill(frame.planes().get(1), format.chromaWidth(), format.chromaHeight(), (_, _) -> u);
        fill(frame.planes().get(2), format.chromaWidth(), format.chromaHeight(), (_, _) -> v);
    }

    /** Fine detail: the encoded size depends on the quality. */
    static void noise(VideoFrame frame) {
        Random random = new Random(3);
        FrameFormat format = frame.format();
        flat(frame, 128, 128, 128);
        fill(
                frame.planes().getFirst(),
                format.width(),
                format.height(),
                (_, _) -> 96 + random.nextInt(64));
    }

    /** Adds fine detail that no other frame has. */
    static void shade(VideoFrame frame, int index) {
        Random random = new Random(index);
        FrameFormat format = frame.format();
        fill(
                frame.planes().getFirst(),
                format.width(),
                format.height(),
                (_, _) -> 96 + random.nextInt(64));
    }

    private static int luma(int x, int y, int index) {
        return (int) Math.round(128 + 80 * Math.sin((x + y * 0.5 + index * 6) / 17.0));
    }

    /** Peak signal to noise ratio of luma in dB; identical frames give infinity. */
    static double psnr(VideoFrame one, VideoFrame other) {
        FrameView.Plane a = one.planes().getFirst();
        FrameView.Plane b = other.planes().getFirst();
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

    static int sample(FrameView.Plane plane, int x, int y) {
        long offset = (long) y * plane.strideBytes() + x;
        return plane.samples().get(ValueLayout.JAVA_BYTE, offset) & 0xFF;
    }

    private static void fill(FrameView.Plane plane, int width, int height, Sample sample) {
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
