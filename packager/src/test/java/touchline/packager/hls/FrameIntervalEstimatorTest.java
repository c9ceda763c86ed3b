package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import touchline.media.Timescale;

/** What is steady, and what comes back at the same distance. */
final class FrameIntervalEstimatorTest {
    private final FrameIntervalEstimator frames = new FrameIntervalEstimator(Timescale.VIDEO);
    private final GopIntervalEstimator gops = new GopIntervalEstimator();

    private OptionalLong after(long... steps) {
        for (long step : steps) {
            frames.add(step);
        }
        return frames.stepTicks();
    }

    @Test
    void cadence_ofFewUnits_isNotKnown() {
        assertEquals(OptionalLong.empty(), after(3000, 3000, 3000, 3000, 3000, 3000, 3000));
        assertEquals(OptionalLong.of(3000), after(3000));
    }

    @Test
    void cadence_roundedToMilliseconds_isTheShortest() {
        assertEquals(OptionalLong.of(2970), after(2970, 2970, 3060, 2970, 2970, 3060, 2970, 2970));
    }

    @Test
    void cadence_withADroppedUnit_returnsAfterEightSteps() {
        assertEquals(OptionalLong.empty(), after(3000, 3000, 3000, 3000, 3000, 3000, 3000, 6000));
        assertEquals(OptionalLong.empty(), after(3000, 3000, 3000, 3000, 3000, 3000, 3000));
        assertEquals(OptionalLong.of(3000), after(3000));
        frames.clear();
        assertEquals(OptionalLong.empty(), frames.stepTicks());
    }

    @Test
    void rhythm_twoEqualDistances_expectsTheThird() {
        gops.keyFrame(0);
        gops.keyFrame(2_000_000);
        assertFalse(gops.isDue(4_000_000));
        gops.keyFrame(4_001_000);
        assertTrue(gops.isDue(6_001_000));
        assertFalse(gops.isDue(5_000_000));
        gops.keyFrame(5_000_000);
        assertFalse(gops.isDue(6_000_000), "a cut scene breaks it");
    }
}
