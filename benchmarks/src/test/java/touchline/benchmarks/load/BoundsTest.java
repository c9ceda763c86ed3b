package touchline.benchmarks.load;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** When a bound is missed. */
final class BoundsTest {
    private final Bounds bounds = new Bounds();

    @Test
    void limitsThemselves_areKept() {
        bounds.atMost("time", 2, 2);
        bounds.atLeast("ratio", 0.9, 0.9);
        assertTrue(bounds.areKept());
    }

    @Test
    void moreThanTheMost_isMissed() {
        bounds.atLeast("ratio", 1, 0.9);
        bounds.atMost("time", 2.01, 2);
        assertFalse(bounds.areKept());
    }

    @Test
    void lessThanTheLeast_isMissed() {
        bounds.atLeast("ratio", 0.89, 0.9);
        bounds.atMost("time", 1, 2);
        assertFalse(bounds.areKept());
    }

    @Test
    void whatWasNotMeasured_isMissed() {
        bounds.atMost("time", Double.NaN, 2);
        assertFalse(bounds.areKept());
    }
}
