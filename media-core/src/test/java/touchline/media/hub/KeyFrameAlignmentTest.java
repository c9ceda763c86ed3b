package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AvcConfig;

class KeyFrameAlignmentTest {
    private static final int STEP = 3_600;
    private static final Track VIDEO =
            new Track(
                    Track.VIDEO_ID,
                    Timescale.VIDEO,
                    new CodecConfig.Avc(
                            AvcConfig.parse(
                                    MemorySegment.ofArray(
                                            HexFormat.of()
                                                    .parseHex(
                                                            "0142c01effe100196742c01eda0280bfe5"
                                                                    + "c044000003000400000300c83c"
                                                                    + "58ba8001000468ce0fc8")))));

    private final KeyFrameAlignment alignment = new KeyFrameAlignment();

    @BeforeEach
    void begin() {
        alignment.begin();
    }

    @Test
    void sameInterval_inEitherOrder_isTogether() {
        for (int i = 0; i < 500; i++) {
            long ticks = (long) i * STEP;
            boolean key = i % 50 == 0;
            boolean sourceFirst = i % 100 == 0;
            assertTrue(!key || !sourceFirst || alignment.source(ticks + 90));
            assertTrue(alignment.track(unit(ticks, 0, key)));
            assertTrue(!key || sourceFirst || alignment.source(ticks - 90));
        }
        assertEquals(9, alignment.alignedInARow(), "the first one was before the track");
    }

    @Test
    void moreKeyFramesThanTheSource_doNoHarm() {
        for (int i = 0; i < 500; i++) {
            assertTrue(i % 100 != 0 || alignment.source((long) i * STEP));
            assertTrue(alignment.track(unit((long) i * STEP, 0, i % 25 == 0)));
        }
    }

    @Test
    void missingKeyFrame_isFoundWithTheNextFrame() {
        assertTrue(alignment.track(unit(0, 0, true)));
        assertTrue(alignment.source(50 * STEP));
        assertTrue(alignment.track(unit(50 * STEP, 0, false)), "it might come with B-frames");
        assertFalse(alignment.track(unit(51 * STEP, 0, false)));
        assertTrue(alignment.track(unit(52 * STEP, 0, false)), "once");
    }

    @Test
    void trackAheadOfTheSource_isJudgedAtTheSourcesKeyFrame() {
        for (int i = 0; i < 60; i++) {
            assertTrue(alignment.track(unit((long) i * STEP, 0, i % 40 == 0)));
        }
        assertTrue(alignment.source(40 * STEP));
        assertFalse(alignment.source(50 * STEP));
    }

    @Test
    void framesShownLater_areMatchedByTheirPresentation() {
        assertTrue(alignment.track(unit(0, 2 * STEP, true)));
        assertTrue(alignment.source(52 * STEP));
        assertTrue(alignment.track(unit(49 * STEP, STEP, false)));
        assertTrue(alignment.track(unit(50 * STEP, 2 * STEP, true)));
        assertTrue(alignment.track(unit(53 * STEP, 0, false)));
        assertEquals(1, alignment.alignedInARow());
    }

    private static AccessUnit unit(long dtsTicks, int offsetTicks, boolean key) {
        return new AccessUnit(
                VIDEO, dtsTicks, offsetTicks, key, MemorySegment.ofArray(new byte[4]));
    }
}
