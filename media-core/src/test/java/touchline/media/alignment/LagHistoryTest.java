package touchline.media.alignment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import touchline.media.hub.SourceAlignment.Lag;

final class LagHistoryTest {
    private final LagHistory history = new LagHistory();

    @Test
    void newest_oneMeasurementWithoutConfidence_leavesTheLagInForce() {
        history.add(10, 1.5, 0.9);
        history.add(15, 4.2, 0.1);

        assertEquals(new Lag(1_500_000, 0.9, 0), history.newest().orElseThrow());
    }

    @Test
    void newest_twoMeasurementsWithoutConfidence_isUnreliable() {
        history.add(10, 1.5, 0.9);
        history.add(15, 4.2, 0.1);
        history.add(20, 2.2, 0.1);

        assertFalse(history.newest().orElseThrow().isReliable());
    }

    @Test
    void newest_reliableAgain_countsFromNewOn() {
        history.add(10, 1.5, 0.9);
        history.add(15, 4.2, 0.1);
        history.add(20, 1.501, 0.9);
        history.add(25, 2.2, 0.1);

        assertTrue(history.newest().orElseThrow().isReliable());
    }

    @Test
    void newest_uncertainMeasurement_isReliableOnceASecondOneAgrees() {
        history.add(10, 1.5, 0.6);
        assertFalse(history.newest().orElseThrow().isReliable());
        history.add(12, -2.5, 0.6);
        assertFalse(history.newest().orElseThrow().isReliable());
        history.add(14, -2.51, 0.6);
        assertTrue(history.newest().orElseThrow().isReliable());
    }

    @Test
    void drift_clocks200PpmApart_isTheSlope() {
        for (int second = 0; second <= 60; second += 5) {
            double rounding = second % 10 == 0 ? 0.000_3 : -0.000_3;
            history.add(second, 2 + second * 200e-6 + rounding, 0.9);
        }

        assertEquals(200, history.newest().orElseThrow().driftPpm(), 15);
    }

    @Test
    void drift_shortTime_isNotKnown() {
        history.add(0, 2, 0.9);
        history.add(15, 2.003, 0.9);

        assertEquals(0, history.newest().orElseThrow().driftPpm());
    }

    @Test
    void drift_lagJumps_startsAgain() {
        for (int second = 0; second <= 60; second += 5) {
            history.add(second, 2 + second * 200e-6, 0.9);
        }
        history.add(65, 3, 0.9);

        assertEquals(new Lag(3_000_000, 0.9, 0), history.newest().orElseThrow());
    }
}
