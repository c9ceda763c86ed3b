package touchline.moderation;

import java.lang.foreign.ValueLayout;
import touchline.media.FrameView;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.VideoFrame;

/** Frames of known content, in BT.709. */
public final class Painted {
    /** The demo models' colours, and one that neither detects; Y, U, V. */
    public enum Paint {
        CYAN(188, 154, 16),
        MAGENTA(78, 214, 230),
        GREY(110, 128, 128);

        private final int y;
        private final int u;
        private final int v;

        Paint(int y, int u, int v) {
            this.y = y;
            this.u = u;
            this.v = v;
        }
    }

    private Painted() {}

    /** A grey frame; the caller closes it. */
    public static VideoFrame grey(int width, int height) {
        VideoFrame frame = VideoFrame.allocate(new FrameFormat(width, height, Colour.BT709));
        paint(frame, Paint.GREY, Box.WHOLE);
        return frame;
    }

    /** A grey frame with a rectangle; the caller closes it. */
    public static VideoFrame with(int width, int height, Paint paint, Box box) {
        VideoFrame frame = grey(width, height);
        paint(frame, paint, box);
        return frame;
    }

    public static void paint(VideoFrame frame, Paint paint, Box box) {
        int[] samples = {paint.y, paint.u, paint.v};
        for (int i = 0; i < 3; i++) {
            FrameFormat format = frame.format();
            int width = i == 0 ? format.width() : format.chromaWidth();
            int height = i == 0 ? format.height() : format.chromaHeight();
            FrameView.Plane plane = frame.planes().get(i);
            long left = Math.round(box.x() * width);
            long right = Math.round((box.x() + box.width()) * width);
            long bottom = Math.round((box.y() + box.height()) * height);
            for (long y = Math.round(box.y() * height); y < bottom; y++) {
                long row = y * plane.strideBytes();
                for (long x = left; x < right; x++) {
                    plane.samples().set(ValueLayout.JAVA_BYTE, row + x, (byte) samples[i]);
                }
            }
        }
    }
}
