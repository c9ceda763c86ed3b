package touchline.api.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import touchline.media.ffmpeg.FrameRate;

final class FramePacingTest {
    private static final FrameRate RATE = FrameRate.of(30);
    private static final long FRAME_NS = 33_333_333;
    private static final int WINDOW_FRAMES = 302;

    private long nowNs;

    @Test
    void adaptive_slowHost_startsWithFewerFrames() {
        assertEquals(1, FramePacing.adaptive(4, RATE, () -> 0).divisor());
        assertEquals(2, FramePacing.adaptive(12, RATE, () -> 0).divisor());
        assertEquals(3, FramePacing.adaptive(25, RATE, () -> 0).divisor());
        assertEquals(3, FramePacing.adaptive(500, RATE, () -> 0).divisor());
    }

    @Test
    void isDrawn_everySecondFrame_staysEvenlySpaced() {
        FramePacing pacing = FramePacing.adaptive(12, RATE, () -> 0);

        assertTrue(pacing.isDrawn(0));
        assertFalse(pacing.isDrawn(1));
        assertTrue(pacing.isDrawn(2));
    }

    @Test
    void observe_busyHost_lowersAfterTwoWindowsBehindTheFirst() {
        FramePacing pacing = FramePacing.adaptive(4, RATE, () -> 0.99);

        assertEquals(0, lowered(pacing, 2, 0));
        assertEquals(1, lowered(pacing, 1, 0));
        assertEquals(2, pacing.divisor());
        assertEquals(1, lowered(pacing, 2, 0));
        assertEquals(3, pacing.divisor());
        assertEquals(0, lowered(pacing, 6, 0));
        assertEquals(3, pacing.divisor());
    }

    @Test
    void observe_lateFrames_countAsBusy() {
        FramePacing pacing = FramePacing.adaptive(4, RATE, () -> -1);

        assertEquals(1, lowered(pacing, 3, 5));
    }

    @Test
    void observe_calmWindowBetweenBusyOnes_changesNothing() {
        double[] load = {0.99};
        FramePacing pacing = FramePacing.adaptive(4, RATE, () -> load[0]);

        assertEquals(0, lowered(pacing, 2, 0));
        load[0] = 0.5;
        assertEquals(0, lowered(pacing, 1, 0));
        load[0] = 0.99;
        assertEquals(0, lowered(pacing, 1, 0));
        assertEquals(1, pacing.divisor());
    }

    @Test
    void observe_everyFrame_neverLowers() {
        FramePacing pacing = FramePacing.everyFrame();

        assertEquals(0, lowered(pacing, 9, 1));
        assertEquals(1, pacing.divisor());
    }

    /**
     * How often the divisor grows within so many windows.
     *
     * @param lateEvery each such frame is late; 0 for none
     */
    private int lowered(FramePacing pacing, int windows, int lateEvery) {
        int lowered = 0;
        for (int i = 0; i < windows * WINDOW_FRAMES; i++) {
            boolean late = lateEvery > 0 && i % lateEvery == 0;
            lowered += pacing.observe(nowNs, late) ? 1 : 0;
            nowNs += FRAME_NS;
        }
        return lowered;
    }
}
