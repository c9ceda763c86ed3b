package touchline.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.media.AccessUnit;
import touchline.media.FrameView;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.VideoEncoder;
import touchline.media.ffmpeg.VideoFrame;
import touchline.overlay.Placement.Align;
import touchline.overlay.Placement.Axis;

/** Position and transparency of the box, measured on decoded frames. */
@Timeout(480)
final class PixelProbeIT {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 360;
    private static final FrameFormat FORMAT = new FrameFormat(WIDTH, HEIGHT, Colour.UNSPECIFIED);
    private static final int GREY = 60;
    private static final int WHITE = 235;

    /** BT.601, video range, of pure red. */
    private static final int[] RED = {81, 90, 240};

    @ParameterizedTest
    @CsvSource({
        "START,  START,  50,  20,  0,  0",
        "MIDDLE, START,  50,  20,  0,  0",
        "END,    START,  50,  20,  0,  0",
        "START,  MIDDLE, 50,  20,  0,  0",
        "MIDDLE, MIDDLE, 33.3, 33.3, 0, 0",
        "END,    MIDDLE, 25,  0,   0,  0",
        "START,  END,    0,   25,  0,  0",
        "MIDDLE, END,    40,  10,  0,  5",
        "END,    END,    40,  10,  3.7, 4.2",
        "START,  START,  12.5, 12.5, 1.1, 1.9",
        "MIDDLE, MIDDLE, 20,  20,  10, 10",
        "END,    START,  50,  50,  75, 0",
        "START,  START,  100, 100, 0,  0",
    })
    void box_standsWhereItShould(
            Align across, Align down, double width, double height, double right, double low)
            throws InterruptedException {
        Placement placement =
                new Placement(new Axis(width, across, right), new Axis(height, down, low), 100);
        CanvasBox box = placement.pageBox(WIDTH, HEIGHT);
        try (Seen seen = seen(new FlatLayer(placement, 255, 255, 255, 255))) {
            VideoFrame frame = seen.last();
            int row = Math.clamp(box.y() + box.height() / 2, 0, HEIGHT - 1);
            int left = Math.max(0, box.x());
            int end = Math.min(WIDTH, box.x() + box.width());
            assertEquals(left, firstWhite(frame, WIDTH, x -> new int[] {x, row}), 2);
            assertEquals(end, lastWhite(frame, WIDTH, x -> new int[] {x, row}) + 1, 2);
            int column = (left + end) / 2;
            int top = Math.max(0, box.y());
            int bottom = Math.min(HEIGHT, box.y() + box.height());
            assertEquals(top, firstWhite(frame, HEIGHT, y -> new int[] {column, y}), 2);
            assertEquals(bottom, lastWhite(frame, HEIGHT, y -> new int[] {column, y}) + 1, 2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 25, 50, 75, 100})
    void opacity_ofTheBox_letsTheRestThrough(int percent) throws InterruptedException {
        Placement placement = new Placement(middle(), middle(), percent);
        assertMixed(new FlatLayer(placement, 255, 0, 0, 255), percent / 100.0);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 64, 128, 191, 255})
    void alpha_ofThePage_letsTheRestThrough(int alpha) throws InterruptedException {
        Placement placement = new Placement(middle(), middle(), 100);
        assertMixed(new FlatLayer(placement, 255, 0, 0, alpha), alpha / 255.0);
    }

    private static void assertMixed(FlatLayer layer, double share) throws InterruptedException {
        try (Seen seen = seen(layer)) {
            int[] ground = {GREY, 128, 128};
            for (int plane = 0; plane < 3; plane++) {
                double wanted = RED[plane] * share + ground[plane] * (1 - share);
                assertEquals(
                        wanted,
                        Seen.mean(seen.last(), plane, WIDTH / 2, HEIGHT / 2),
                        3,
                        "plane " + plane);
            }
        }
    }

    private static Axis middle() {
        return new Axis(50, Align.MIDDLE, 0);
    }

    private static Seen seen(OverlayLayer layer) throws InterruptedException {
        try (Rig rig = new Rig(true)) {
            List<AccessUnit> sent = grey(6);
            rig.send(sent.subList(0, 1));
            rig.compositor().layers(List.of(layer));
            rig.send(sent.subList(1, sent.size()));
            rig.end();
            return Seen.of(rig.frames());
        }
    }

    private static List<AccessUnit> grey(int count) {
        List<AccessUnit> units = new ArrayList<>();
        try (VideoEncoder encoder = VideoEncoder.open(Studio.settings(FORMAT));
                VideoFrame frame = VideoFrame.allocate(FORMAT)) {
            int[] samples = {GREY, 128, 128};
            for (int plane = 0; plane < 3; plane++) {
                FrameView.Plane of = frame.planes().get(plane);
                of.samples().fill((byte) samples[plane]);
            }
            for (int i = 0; i < count; i++) {
                frame.ptsTicks(i * 90L * Studio.FRAME_MS);
                units.addAll(encoder.encode(frame, /* forceKeyFrame= */ false));
            }
        }
        return units;
    }

    private interface Line {
        int[] at(int position);
    }

    private static int firstWhite(VideoFrame frame, int length, Line line) {
        int position = 0;
        while (position < length - 1 && !isWhite(frame, line.at(position))) {
            position++;
        }
        return position;
    }

    private static int lastWhite(VideoFrame frame, int length, Line line) {
        int position = length - 1;
        while (position > 0 && !isWhite(frame, line.at(position))) {
            position--;
        }
        return position;
    }

    private static boolean isWhite(VideoFrame frame, int[] place) {
        return Seen.sample(frame, 0, place[0], place[1]) > (WHITE + GREY) / 2;
    }
}
