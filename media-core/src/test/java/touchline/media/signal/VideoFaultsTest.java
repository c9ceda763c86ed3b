package touchline.media.signal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntBinaryOperator;
import org.junit.jupiter.api.Test;
import touchline.media.FrameView;

final class VideoFaultsTest {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 360;
    private static final long SECOND = 1_000_000;

    private final Listened listened = new Listened();
    private final VideoFaults faults = new VideoFaults(listened.active(new SignalCounters()));
    private final SplittableRandom random = new SplittableRandom(5);
    private long nowUs;
    private int moved;

    private static LumaCells frame(IntBinaryOperator luma) {
        // Padded rows, as decoders have them.
        int stride = WIDTH + 24;
        byte[] bytes = new byte[stride * HEIGHT];
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                bytes[y * stride + x] = (byte) Math.clamp(luma.applyAsInt(x, y), 0, 255);
            }
        }
        FrameView.Plane plane = new FrameView.Plane(MemorySegment.ofArray(bytes), stride);
        return LumaCells.of(
                new FrameView(WIDTH, HEIGHT, 0, List.of(plane, plane, plane)),
                /* fullRange= */ false);
    }

    private static int scene(int x, int y, int shift) {
        return 90 + (x + shift) / 8 % 100 + y / 16 % 40;
    }

    private LumaCells moving() {
        moved += 40;
        int shift = moved;
        return frame((x, y) -> scene(x, y, shift));
    }

    /** As a camera or an encoder adds it. */
    private LumaCells still(int noise) {
        return frame((x, y) -> scene(x, y, 0) + random.nextInt(-noise, noise + 1));
    }

    private static LumaCells black() {
        return frame((x, y) -> x < 100 && y < 20 ? 60 : 17);
    }

    @FunctionalInterface
    private interface Frames {
        LumaCells next();
    }

    private void send(int keyFrames, double everySeconds, Frames frames) {
        for (int i = 0; i < keyFrames; i++) {
            faults.keyFrame(frames.next(), nowUs);
            nowUs += Math.round(everySeconds * SECOND);
        }
    }

    @Test
    void black_isReported8SecondsAfterTheLastOther_andEndsWithTheNext() {
        send(3, 2, this::moving);
        send(3, 2, VideoFaultsTest::black);
        assertEquals(List.of(), listened.faults);
        send(1, 2, VideoFaultsTest::black);
        assertEquals(List.of("+video_black"), listened.faults);
        send(20, 2, VideoFaultsTest::black);
        assertEquals(48 * SECOND, faults.blackUs(nowUs - 2 * SECOND));
        assertEquals(0, faults.frozenUs(nowUs));

        send(1, 2, this::moving);
        assertEquals(List.of("+video_black", "-video_black"), listened.faults);
        assertEquals(0, faults.blackUs(nowUs));
    }

    @Test
    void still_withNoise_isReportedAsFrozenOnce() {
        send(3, 2, this::moving);
        send(3, 2, () -> still(6));
        assertEquals(List.of(), listened.faults);
        send(1, 2, () -> still(6));
        assertEquals(List.of("+video_frozen"), listened.faults);
        send(20, 2, () -> still(6));

        send(1, 2, this::moving);
        assertEquals(List.of("+video_frozen", "-video_frozen"), listened.faults);
        assertEquals(0, faults.frozenUs(nowUs));
    }

    @Test
    void keyFrames_farApart_areNotTakenForMoreThanTheyShow() {
        send(2, 10, this::moving);
        send(1, 10, VideoFaultsTest::black);
        assertEquals(List.of(), listened.faults);
        assertEquals(2 * SECOND, faults.blackUs(nowUs - 10 * SECOND));
        send(1, 10, VideoFaultsTest::black);
        assertEquals(List.of("+video_black"), listened.faults);
    }

    @Test
    void smallMovement_isNotFrozen() {
        // A ball of 12 samples on a still ground.
        int[] at = {0};
        send(
                20,
                2,
                () -> {
                    at[0] = (at[0] + 97) % 600;
                    int left = at[0];
                    return frame(
                            (x, y) ->
                                    x >= left && x < left + 12 && y >= 100 && y < 112
                                            ? 235
                                            : scene(x, y, 0) + random.nextInt(-4, 5));
                });

        assertEquals(List.of(), listened.faults);
    }

    @Test
    void light_thatChangesSlowly_isNotFrozen() {
        int[] light = {0};
        send(
                40,
                2,
                () -> {
                    light[0]++;
                    int more = light[0];
                    return frame((x, y) -> scene(x, y, 0) + more);
                });

        assertEquals(List.of(), listened.faults);
    }

    @Test
    void frozenVideo_withSlowLight_isOneOccurrence() {
        int[] light = {0};
        send(5, 2, () -> still(4));
        send(
                20,
                2,
                () -> {
                    light[0]++;
                    int more = light[0] / 2;
                    return frame((x, y) -> scene(x, y, 0) + more);
                });

        assertEquals(List.of("+video_frozen"), listened.faults);
    }

    @Test
    void darkScene_isNotBlack() {
        assertFalse(frame((x, y) -> (x / 40 + y / 40) % 3 == 0 ? 45 : 20).isBlack());
        assertTrue(frame((x, y) -> 16 + (x + y) % 9).isBlack());
    }

    @Test
    void otherSize_isAnotherFrame() {
        byte[] bytes = new byte[64 * 64];
        FrameView.Plane plane = new FrameView.Plane(MemorySegment.ofArray(bytes), 64);
        LumaCells small =
                LumaCells.of(
                        new FrameView(64, 64, 0, List.of(plane, plane, plane)),
                        /* fullRange= */ true);

        assertFalse(small.isLike(black()));
        assertTrue(small.isLike(small));
        assertTrue(small.isBlack());
    }
}
