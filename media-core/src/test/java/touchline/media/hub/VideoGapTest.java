package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class VideoGapTest {
    private final VideoGap gap = new VideoGap();

    @Test
    void audio_afterTwoFrames_opensBehindTwoSeconds() {
        gap.frame(0);
        gap.audio(10_000);
        gap.frame(40_000);
        gap.audio(2_010_000);
        assertFalse(gap.isOpen());
        assertEquals(2_000_000, gap.lengthUs());

        gap.audio(2_010_001);
        assertTrue(gap.isOpen());
    }

    @Test
    void audio_beforeASecondFrame_waitsLonger() {
        gap.audio(500_000);
        gap.audio(4_500_000);
        assertFalse(gap.isOpen());

        gap.audio(4_500_001);
        assertTrue(gap.isOpen());
    }

    @Test
    void slowFrames_waitTwiceTheirInterval() {
        gap.audio(0);
        gap.frame(0);
        gap.frame(1_500_000);
        gap.audio(2_900_000);
        assertFalse(gap.isOpen());

        gap.audio(3_100_000);
        assertTrue(gap.isOpen());
    }

    @Test
    void audioFarAhead_countsFromTheLastFramesArrival() {
        gap.frame(0);
        gap.audio(9_000_000);
        gap.frame(40_000);
        gap.audio(10_900_000);
        assertFalse(gap.isOpen());

        gap.frame(80_000);
        assertEquals(0, gap.lengthUs());
    }

    /** Audio ahead of its frames does not lie behind them, nor does audio that came late. */
    @Test
    void behindUs_countsAudioBehindTheLastFrameThatCameAfterIt() {
        gap.audio(1_700_000);
        gap.frame(0);
        gap.frame(40_000);
        gap.audio(1_800_000);
        assertEquals(60_000, gap.behindUs());

        gap.frame(2_000_000);
        gap.frame(2_040_000);
        gap.audio(2_050_000);
        assertTrue(gap.behindUs() < 0);
        gap.audio(3_080_000);
        assertEquals(1_000_000, gap.behindUs());
    }

    @Test
    void frame_thatComes_closesIt() {
        gap.frame(0);
        gap.audio(0);
        gap.audio(9_000_000);
        assertTrue(gap.isOpen());

        gap.frame(9_000_000);
        assertFalse(gap.isOpen());
        gap.clear();
        assertEquals(0, gap.lengthUs());
    }
}
