package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AudioTimestampSmootherTest {
    private static final int HOURS_OF_FRAMES = 3 * 3_600 * 48_000 / 1_024;

    private static long raw(double seconds, int rateHz) {
        long ms = Math.round(seconds * 1_000);
        return Math.round(ms * rateHz / 1_000.0);
    }

    @ParameterizedTest
    @ValueSource(ints = {48_000, 44_100, 22_050})
    void place_millisecondRounding_isSnappedForHours(int rateHz) {
        var smoother = new AudioTimestampSmoother(rateHz);
        for (long i = 0; i < HOURS_OF_FRAMES; i++) {
            OptionalLong ticks = smoother.place(raw(i * 1_024.0 / rateHz, rateHz), 1_024);
            assertEquals(OptionalLong.of(i * 1_024), ticks);
        }
        assertEquals(0, smoother.shiftedTicks());
    }

    /** An audio card 100 ppm off, either way: followed within a few milliseconds, for hours. */
    @ParameterizedTest
    @ValueSource(doubles = {1.0001, 0.9999, 1.001, 0.999})
    void place_driftingClock_isFollowedWithinFiveMilliseconds(double speed) {
        var smoother = new AudioTimestampSmoother(48_000);
        long before = -1_024;
        for (long i = 0; i < HOURS_OF_FRAMES; i++) {
            double truth = i * 1_024.0 / 48_000 * speed;
            long ticks = smoother.place(raw(truth, 48_000), 1_024).orElseThrow();
            assertTrue(Math.abs(ticks / 48_000.0 - truth) < 0.005, "at frame " + i);
            assertTrue(Math.abs(ticks - before - 1_024) <= 48, "step " + (ticks - before));
            before = ticks;
        }
        assertTrue(
                Math.abs(smoother.shiftedTicks()) > 48_000 / 2, "shift " + smoother.shiftedTicks());
    }

    @Test
    void place_jitterOfTenMilliseconds_keepsTheGrid() {
        var smoother = new AudioTimestampSmoother(48_000);
        var random = new Random(7);
        for (long i = 0; i < 100_000; i++) {
            double jitter = (random.nextDouble() - 0.5) * 0.02;
            long ticks =
                    smoother.place(raw(1 + i * 1_024 / 48_000.0 + jitter, 48_000), 1_024)
                            .orElseThrow();
            assertTrue(Math.abs(ticks - 48_000 - i * 1_024) < 480 + 240, "at frame " + i);
        }
    }

    @Test
    void place_lostFrames_leaveAGapOfWholeFrames() {
        var smoother = new AudioTimestampSmoother(48_000);
        for (int i = 0; i < 10; i++) {
            smoother.place(raw(i * 1_024 / 48_000.0, 48_000), 1_024);
        }

        OptionalLong ticks = smoother.place(raw(13 * 1_024 / 48_000.0, 48_000), 1_024);

        assertEquals(OptionalLong.of(13 * 1_024), ticks);
    }

    @Test
    void place_repeatedAudio_isDroppedUntilTheGridIsReached() {
        var smoother = new AudioTimestampSmoother(48_000);
        for (int i = 0; i < 50; i++) {
            smoother.place(i * 1_024L, 1_024);
        }
        int dropped = 0;
        for (int i = 30; i < 80; i++) {
            dropped += smoother.place(i * 1_024L, 1_024).isEmpty() ? 1 : 0;
        }

        // 20 frames come again; the last four of them are within the tolerance of 100 ms.
        assertEquals(16, dropped);
    }
}
