package touchline.benchmarks.home;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** What an upload may cost. */
final class UploadCostTest {
    @Test
    void uploads_mayCostAPutForEachSegmentAndFile() {
        assertEquals(1_065, UploadCost.mostPuts(900, 75), 0.001);
    }
}
