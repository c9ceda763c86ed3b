package touchline.moderation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RiskLevelTest {
    /** A model's float is not exactly the double of a setting. */
    @ParameterizedTest
    @CsvSource({
        "0.6, 0.6, PASS",
        "0.6000004, 0.6, PASS",
        "0.6000006, 0.6, REVIEW",
        "0.973841, 0.973841, PASS",
        "0.85, 0.7, REVIEW",
        "0.850001, 0.7, REJECT",
        "0, 0, PASS",
        "0.000001, 0, REVIEW",
        "1, 1, PASS"
    })
    void confidence_countsAsItIsShown(double confidence, double threshold, RiskLevel expected) {
        double ofAModel = (float) confidence;

        assertEquals(expected, RiskLevel.of(ofAModel, threshold, 0.5), "shown " + ofAModel);
    }

    @ParameterizedTest
    @CsvSource({"0.60000002384, 0.6", "0.9738411, 0.973841", "1e-7, 0"})
    void shown_hasSixDecimals(double confidence, double shown) {
        assertEquals(shown, RiskLevel.shown(confidence));
    }
}
