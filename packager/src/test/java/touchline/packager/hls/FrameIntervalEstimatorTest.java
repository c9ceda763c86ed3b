package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import touchline.media.Timescale;

/** What is steady, and what comes back at the same distance. */
final class FrameIntervalEstimatorTest {
    private final FrameIntervalEstimator cadence = new FrameIntervalEstimator(Timescale.VIDEO);
    private final GopIntervalEstimator rhythm = new GopIntervalEstimator();

    private OptionalLong after(long... steps) {
        for (long step : steps) {
            cadence.add(step);
        }
        return cadence.stepTicks();
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
        cadence.clear();
        assertEquals(OptionalLong.empty(), cadence.stepTicks());
    }

    @Test
    void rhythm_twoEqualDistances_expectsTheThird() {
        rhythm.keyFrame(0);
        rhythm.keyFrame(2_000_000);
        assertFalse(rhythm.isDue(4_000_000));
        rhythm.keyFrame(4_001_000);
        assertTrue(rhythm.isDue(6_001_000));
        assertFalse(rhythm.isDue(5_000_000));
        rhythm.keyFrame(5_000_000);
        assertFalse(rhythm.isDue(6_000_000), "a cut scene breaks it");
    }
}
