package touchline.overlay;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import touchline.media.AccessUnit;
import touchline.media.FrameView;
import touchline.media.ffmpeg.VideoDecoder;
import touchline.media.ffmpeg.VideoFrame;

/** Frames as decoded by a player. */
final class Seen implements AutoCloseable {
    final List<VideoFrame> frames = new ArrayList<>();

    private Seen() {}

    /** The units must belong to one track. */
    static Seen of(List<AccessUnit> units) {
        Seen seen = new Seen();
        try (VideoDecoder decoder = VideoDecoder.open(units.getFirst().track(), 1)) {
            for (AccessUnit unit : units) {
                seen.frames.addAll(decoder.decode(unit));
            }
            seen.frames.addAll(decoder.drain());
        }
        return seen;
    }

    VideoFrame last() {
        return frames.getLast();
    }

    /** Samples of each plane at luma coordinates. */
    static int sample(VideoFrame frame, int plane, int x, int y) {
        int shift = plane == 0 ? 0 : 1;
        FrameView.Plane of = frame.planes().get(plane);
        long at = (long) (y >> shift) * of.strideBytes() + (x >> shift);
        return of.samples().get(ValueLayout.JAVA_BYTE, at) & 0xFF;
    }

    /** Mean of a small square, nearly unchanged by coding. */
    static double mean(VideoFrame frame, int plane, int x, int y) {
        double sum = 0;
        for (int dy = -4; dy <= 4; dy += 2) {
            for (int dx = -4; dx <= 4; dx += 2) {
                sum += sample(frame, plane, x + dx, y + dy);
            }
        }
        return sum / 25;
    }

    /** Peak signal to noise ratio of luma in dB, outside of a box. */
    static double psnrOutside(CanvasBox box, VideoFrame one, VideoFrame other) {
        double sum = 0;
        long count = 0;
        for (int y = 0; y < one.format().height(); y++) {
            for (int x = 0; x < one.format().width(); x++) {
                boolean inside =
                        x >= box.x()
                                && x < box.x() + box.width()
                                && y >= box.y()
                                && y < box.y() + box.height();
                if (!inside) {
                    int difference = sample(one, 0, x, y) - sample(other, 0, x, y);
                    sum += (double) difference * difference;
                    count++;
                }
            }
        }
        return 10 * Math.log10(255.0 * 255.0 * count / sum);
    }

    @Override
    public void close() {
        frames.forEach(VideoFrame::close);
    }
}
