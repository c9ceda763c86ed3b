package touchline.media.rendition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import touchline.media.AccessUnit;
import touchline.media.FrameView;
import touchline.media.ffmpeg.FrameScaler;
import touchline.media.ffmpeg.VideoDecoder;
import touchline.media.ffmpeg.VideoFrame;

/** Compares the frames of a source and of a rendition. */
final class Frames {
    /** Mean of the squared differences of luma: encoded twice, and still the same frame. */
    private static final double SAME = 150;

    private Frames() {}

    /** The rendition shows each frame of the source at its time. */
    static void assertSame(List<AccessUnit> source, List<AccessUnit> rendition) {
        List<VideoFrame> expected = decode(source);
        List<VideoFrame> actual = decode(rendition);
        try {
            assertEquals(
                    expected.stream().map(VideoFrame::ptsTicks).toList(),
                    actual.stream().map(VideoFrame::ptsTicks).toList());
            for (int i = 0; i < expected.size(); i++) {
                double difference = difference(expected.get(i), actual.get(i));
                assertTrue(difference < SAME, "frame " + i + ": " + difference);
            }
        } finally {
            expected.forEach(VideoFrame::close);
            actual.forEach(VideoFrame::close);
        }
    }

    /** Mean luma of the last frame. */
    static double luma(List<AccessUnit> units) {
        List<VideoFrame> frames = decode(units);
        try {
            FrameView view = frames.getLast().view();
            double sum = 0;
            for (int y = 0; y < view.height(); y++) {
                for (int x = 0; x < view.width(); x++) {
                    sum += luma(view, x, y);
                }
            }
            return sum / view.width() / view.height();
        } finally {
            frames.forEach(VideoFrame::close);
        }
    }

    private static List<VideoFrame> decode(List<AccessUnit> units) {
        List<VideoFrame> frames = new ArrayList<>();
        try (VideoDecoder decoder = VideoDecoder.open(units.getFirst().track(), 1)) {
            units.forEach(unit -> frames.addAll(decoder.decode(unit)));
            frames.addAll(decoder.drain());
        }
        return frames;
    }

    private static double difference(VideoFrame source, VideoFrame rendition) {
        try (FrameScaler scaler = FrameScaler.open(source.format(), rendition.format());
                VideoFrame scaled = VideoFrame.allocate(rendition.format())) {
            scaler.scale(source.view(), scaled);
            FrameView expected = scaled.view();
            FrameView actual = rendition.view();
            double sum = 0;
            for (int y = 0; y < rendition.format().height(); y++) {
                for (int x = 0; x < rendition.format().width(); x++) {
                    int by = luma(expected, x, y) - luma(actual, x, y);
                    sum += by * by;
                }
            }
            return sum / rendition.format().width() / rendition.format().height();
        }
    }

    private static int luma(FrameView view, int x, int y) {
        FrameView.Plane plane = view.planes().getFirst();
        return plane.samples().get(ValueLayout.JAVA_BYTE, (long) y * plane.strideBytes() + x)
                & 0xFF;
    }
}
