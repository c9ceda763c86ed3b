package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class VideoTimestampSmootherTest {
    private static final int BLOCKS = 128 * 2 + 2;

    @ParameterizedTest
    @CsvSource({
        "30,30", "29.97,29.97", "25,25", "23.976,23.976", "59.94,59.94", "60,60", "50,50",
        // The parameter set says nothing, or something else than the truth.
        "30,0", "29.97,30", "25,30", "60,0", "59.94,60", "24,23.976", "15,30"
    })
    void place_constantRate_isExactAfterTwoBlocksAndNeverOffByMore(double rate, double named) {
        double exact = exact(rate);
        for (double phase : new double[] {0, 0.3, 0.5, 0.9}) {
            var smoother = new VideoTimestampSmoother(named == 0 ? 0 : exact(named));
            long before = 0;
            for (int i = 0; i < 20_000; i++) {
                long raw = Math.round(i * 1_000 / exact + phase) * 90;
                long placed = smoother.place(raw);
                assertTrue(Math.abs(placed - raw) <= 90, "moved by " + (placed - raw));
                if (i > BLOCKS) {
                    assertEquals(90_000 / exact, (double) (placed - before), 1.0, "at frame " + i);
                }
                before = placed;
            }
        }
    }

    @Test
    void place_variableRate_staysAsSent() {
        var smoother = new VideoTimestampSmoother(0);
        var random = new Random(3);
        long raw = 0;
        for (int i = 0; i < 5_000; i++) {
            raw += 90L * (15 + random.nextInt(60));
            assertEquals(raw, smoother.place(raw));
        }
    }

    @Test
    void place_droppedFrames_keepTheGrid() {
        var smoother = new VideoTimestampSmoother(30);
        for (int i = 0; i < 1_000; i++) {
            if (i % 7 != 3) {
                assertEquals(i * 3_000L, smoother.place(Math.round(i / 0.03) * 90));
            }
        }
    }

    @Test
    void place_timesThatStandOrGoBack_riseAllTheSame() {
        var smoother = new VideoTimestampSmoother(0);
        smoother.place(9_000);

        assertEquals(9_090, smoother.place(9_000));
        assertEquals(9_180, smoother.place(4_500));
        assertEquals(12_000, smoother.place(12_000));
    }

    @Test
    void presentation_reorderedFrames_areOnTheGridAndInOrder() {
        var smoother = new VideoTimestampSmoother(30);
        int[] shown = {0, 3, 1, 2, 6, 4, 5};
        for (int i = 0; i < shown.length; i++) {
            long dts = smoother.place(Math.round(i / 0.03) * 90);
            long pts = smoother.presentation(Math.round((shown[i] + 1) / 0.03) * 90);
            assertEquals(i * 3_000L, dts);
            assertEquals((shown[i] + 1) * 3_000L, pts);
        }
    }

    private static double exact(double rate) {
        return rate == Math.rint(rate) ? rate : Math.rint(rate + 0.1) * 1_000 / 1_001;
    }
}
