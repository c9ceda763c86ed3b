package touchline.media.standby;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import touchline.media.FrameView;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.VideoFrame;

/**
 * Converts RGB to YUV 4:2:0 in video range: Rec. ITU-R BT.601 below 720 rows, BT.709 from there on,
 * as players expect it. Chroma is the mean of four pixels. Stateless.
 */
final class RgbFrames {
    /** Weights of red and blue in luma. */
    private record Weights(double red, double blue) {
        private static final Weights BT601 = new Weights(0.299, 0.114);
        private static final Weights BT709 = new Weights(0.2126, 0.0722);

        double luma(double r, double g, double b) {
            return red * r + (1 - red - blue) * g + blue * b;
        }
    }

    private RgbFrames() {}

    /** The caller closes the frame. */
    static VideoFrame frame(RgbImage image) {
        Colour colour = Colour.UNSPECIFIED.orUsual(image.height());
        Weights weights = colour.equals(Colour.BT709) ? Weights.BT709 : Weights.BT601;
        VideoFrame frame =
                VideoFrame.allocate(new FrameFormat(image.width(), image.height(), colour));
        try {
            for (int y = 0; y < image.height(); y += 2) {
                rows(image, y, weights, frame.view());
            }
            return frame;
        } catch (RuntimeException e) {
            frame.close();
            throw e;
        }
    }

    private static void rows(RgbImage image, int y, Weights weights, FrameView to) {
        FrameView.Plane luma = to.planes().get(0);
        for (int x = 0; x < image.width(); x += 2) {
            double r = 0;
            double g = 0;
            double b = 0;
            for (int i = 0; i < 4; i++) {
                int column = x + i % 2;
                int row = y + i / 2;
                int pixel = image.pixel(column, row);
                double red = (pixel >> 16 & 0xFF) / 255.0;
                double green = (pixel >> 8 & 0xFF) / 255.0;
                double blue = (pixel & 0xFF) / 255.0;
                put(luma, column, row, 16 + 219 * weights.luma(red, green, blue));
                r += red / 4;
                g += green / 4;
                b += blue / 4;
            }
            double mean = weights.luma(r, g, b);
            double u = (b - mean) / (2 * (1 - weights.blue()));
            double v = (r - mean) / (2 * (1 - weights.red()));
            put(to.planes().get(1), x / 2, y / 2, 128 + 224 * u);
            put(to.planes().get(2), x / 2, y / 2, 128 + 224 * v);
        }
    }

    private static void put(FrameView.Plane plane, int x, int y, double value) {
        MemorySegment samples = plane.samples();
        samples.set(
                ValueLayout.JAVA_BYTE,
                (long) y * plane.strideBytes() + x,
                (byte) Math.clamp(Math.round(value), 0, 255));
    }
}
