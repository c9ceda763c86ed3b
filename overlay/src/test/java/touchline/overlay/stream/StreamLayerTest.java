package touchline.overlay.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.media.FrameView;
import touchline.media.ffmpeg.Colour;
import touchline.overlay.Canvas;
import touchline.overlay.CanvasBox;
import touchline.overlay.VideoBox;

/** The brightness of each overlay frame is its index, modulo 200. */
final class StreamLayerTest {
    private static final Canvas CANVAS = new Canvas(64, 48, Colour.UNSPECIFIED.orUsual(48));
    private static final Canvas OTHER = new Canvas(32, 32, Colour.UNSPECIFIED.orUsual(32));
    private static final CanvasBox BOX = new CanvasBox(0, 0, 16, 16);
    private static final long MAIN_US = 33_333;
    private static final long SECOND_US = 40_000;
    private static final int GROUND = 250;
    private static final long START_US = 90_000_000;

    private final OverlayStreamTime time = new OverlayStreamTime();
    private final OverlayFrameQueue frames = new OverlayFrameQueue();
    private long nowUs = START_US;
    private long nextSecondUs = nowUs;
    private final StreamLayer layer =
            new StreamLayer(time, frames, /* opacity= */ 1, () -> nowUs * 1_000);

    @Test
    void frames_ofAnotherRate_areShownAsTheyArriveAndInOrder() {
        layer.canvas(CANVAS);
        play(2_000_000, /* overlay= */ true);
        for (int i = 0; i < 100; i++) {
            int shown = step(true);
            long shownUs = nowUs - OverlayStreamTime.BUFFER_US;
            long behind = Math.floorMod(shownUs / SECOND_US - shown, 200L);
            assertTrue(behind <= 1, "behind by " + behind);
        }
    }

    @Test
    void overlayStream_thatStops_freezesThenDisappearsAndComesBack() {
        layer.canvas(CANVAS);
        int last = play(2_000_000, true);
        assertTrue(last < 200, "shown: " + last);

        int frozen = play(2_000_000, false);
        assertTrue(frozen < 200, "frozen: " + frozen);
        assertEquals(GROUND, play(1_000_000, false), "gone");

        nextSecondUs = nowUs;
        assertTrue(play(1_500_000, true) < 200, "back");
    }

    @Test
    void frame_forAnotherCanvas_isNotShown() {
        layer.canvas(CANVAS);
        play(1_000_000, true);

        layer.canvas(OTHER);

        assertTrue(layer.frameAt(nowUs - START_US).isEmpty());
    }

    @Test
    void layer_beforeAnythingCame_isEmpty() {
        assertTrue(layer.frameAt(0).isEmpty());
        layer.canvas(CANVAS);
        assertTrue(layer.frameAt(MAIN_US).isEmpty());
    }

    private int play(long durationUs, boolean overlay) {
        int shown = GROUND;
        for (long endUs = nowUs + durationUs; nowUs < endUs; ) {
            shown = step(overlay);
        }
        return shown;
    }

    private int step(boolean overlay) {
        nowUs += MAIN_US;
        for (; overlay && nextSecondUs <= nowUs; nextSecondUs += SECOND_US) {
            time.overlayArrived(nextSecondUs, nextSecondUs);
            int level = (int) (nextSecondUs / SECOND_US % 200);
            VideoBox frame = VideoBox.of(CANVAS, BOX, even(level));
            frames.offer(new OverlayFrameQueue.Timed(frame, nextSecondUs));
        }
        byte[][] ground = new byte[3][64 * 48];
        for (byte[] plane : ground) {
            Arrays.fill(plane, (byte) GROUND);
        }
        layer.frameAt(nowUs - START_US)
                .ifPresent(frame -> frame.blendInto(planes(ground, 64), new byte[64]));
        return ground[0][0] & 0xFF;
    }

    private static FrameView even(int level) {
        byte[][] planes = new byte[3][16 * 16];
        for (byte[] plane : planes) {
            Arrays.fill(plane, (byte) level);
        }
        return new FrameView(16, 16, 0, planes(planes, 16));
    }

    private static List<FrameView.Plane> planes(byte[][] planes, int stride) {
        return Arrays.stream(planes)
                .map(plane -> new FrameView.Plane(MemorySegment.ofArray(plane), stride))
                .toList();
    }
}
