package touchline.benchmarks.gpu;

import java.lang.foreign.ValueLayout;
import touchline.media.FrameView;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.VideoFrame;

/** A gradient that moves, so that an encoder has work in each frame. One thread. */
final class MovingFrame implements AutoCloseable {
    private static final int STEP = 3;

    private final VideoFrame frame;

    MovingFrame(FrameFormat format) {
        this.frame = VideoFrame.allocate(format);
    }

    /** The frame with this number; valid until the next call. */
    VideoFrame at(int number, long ptsTicks) {
        FrameView.Plane luma = frame.planes().getFirst();
        // One row in eight moves: the bench is about the encoder, not about the drawing.
        long size = luma.samples().byteSize();
        for (long at = number % 8 * 512L; at < size; at += 8 * 512L) {
            long end = Math.min(size, at + 512);
            for (long each = at; each < end; each++) {
                int value = (int) (each + (long) number * STEP) & 0xff;
                luma.samples().set(ValueLayout.JAVA_BYTE, each, (byte) value);
            }
        }
        frame.ptsTicks(ptsTicks);
        return frame;
    }

    @Override
    public void close() {
        frame.close();
    }
}
