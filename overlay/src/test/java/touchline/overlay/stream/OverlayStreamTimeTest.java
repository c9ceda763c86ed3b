package touchline.overlay.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OverlayStreamTimeTest {
    private static final long FRAME_US = 33_333;
    private static final long BUFFER_US = OverlayStreamTime.BUFFER_US;

    /** Clocks with different start times. */
    private static final long MAIN_START_US = 70_000_000;

    private final OverlayStreamTime time = new OverlayStreamTime();
    private final Random random = new Random(9);

    @Test
    void shift_beforeBothRun_isUnknown() {
        time.mainFrame(0, 1_000);
        assertEquals(OptionalLong.empty(), time.shiftUs());

        time.overlayArrived(0, 2_000);
        time.mainFrame(FRAME_US, 34_000);

        assertTrue(time.shiftUs().isPresent());
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 1.005, 0.995})
    void overlayClock_thatDrifts_isFollowedForAnHourWithoutAJump(double rate) {
        double lastUs = Double.NaN;
        for (long nowUs = MAIN_START_US; nowUs < MAIN_START_US + 3_600_000_000L; ) {
            nowUs += FRAME_US;
            long jitterUs = random.nextInt(120_000);
            long secondPtsUs = (long) ((nowUs - jitterUs) * rate);
            time.overlayArrived(secondPtsUs, nowUs);
            time.mainFrame(nowUs - MAIN_START_US, nowUs);
            double shiftUs = time.shiftUs().orElseThrow();

            double wantedUs = nowUs * rate - BUFFER_US;
            double shownUs = nowUs - MAIN_START_US + shiftUs;
            if (nowUs - MAIN_START_US > 10_000_000) {
                assertEquals(wantedUs, shownUs, 40_000, "at " + nowUs);
                double stepUs = shownUs - lastUs;
                assertEquals(FRAME_US, stepUs, 0.011 * FRAME_US, "step at " + nowUs);
            }
            lastUs = shownUs;
        }
    }

    @Test
    void overlayStream_thatStallsAndCatchesUp_keepsItsShift() {
        long nowUs = run(0, 5_000_000, 0);
        long before = time.shiftUs().orElseThrow();
        long stalledAt = nowUs;
        for (; nowUs < stalledAt + 5_000_000; nowUs += FRAME_US) {
            time.mainFrame(nowUs, nowUs);
        }
        for (long ptsUs = stalledAt; ptsUs < nowUs; ptsUs += FRAME_US) {
            time.overlayArrived(ptsUs, nowUs);
        }

        run(nowUs, nowUs + 5_000_000, 0);

        assertShift(before, 5_000);
    }

    @Test
    void overlayStream_thatStaysLate_getsANewShift() {
        long nowUs = run(0, 5_000_000, 0);

        run(nowUs, nowUs + 8_000_000, 2_000_000);

        assertShift(-2_000_000 - BUFFER_US, 40_000);
    }

    /** Its audio would not be there for half a minute, if the shift only glided. */
    @Test
    void overlayStream_thatStaysLaterThanTheBuffer_getsANewShift() {
        long nowUs = run(0, 5_000_000, 0);

        run(nowUs, nowUs + 4_000_000, 300_000);

        assertShift(-300_000 - BUFFER_US, 20_000);
    }

    @Test
    void overlayStream_thatRestarts_getsANewShift() {
        run(0, 5_000_000, 0);
        time.restarted();
        assertEquals(OptionalLong.empty(), time.shiftUs());

        run(5_000_000, 6_000_000, 3_000_000);

        assertShift(-3_000_000 - BUFFER_US, 40_000);
    }

    @Test
    void audio_timesTheMainStreamOnlyWithoutFrames() {
        time.overlayArrived(1_000_000, 1_000_000);
        time.mainAudio(1_000_000, 1_000_000);
        assertEquals(-BUFFER_US, time.shiftUs().orElseThrow());

        time.mainFrame(1_000_000, 1_100_000);
        time.mainAudio(9_000_000, 1_200_000);

        assertShift(-BUFFER_US, 15_000);
    }

    private void assertShift(long expectedUs, long offUs) {
        long shiftUs = time.shiftUs().orElseThrow();
        assertTrue(Math.abs(shiftUs - expectedUs) <= offUs, shiftUs + " of " + expectedUs);
    }

    private long run(long fromUs, long toUs, long secondLateUs) {
        long nowUs = fromUs;
        for (; nowUs < toUs; nowUs += FRAME_US) {
            time.overlayArrived(nowUs - secondLateUs, nowUs);
            time.mainFrame(nowUs, nowUs);
        }
        return nowUs;
    }
}
