package touchline.moderation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ModerationPolicyTest {
    private static final Map<AlertType, Double> WEAPON = Map.of(AlertType.WEAPON, 0.6);

    private static String refusal(
            int intervalSeconds,
            int samples,
            Map<AlertType, Double> thresholds,
            double rejectCutoff) {
        var refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () ->
                                new ModerationPolicy(
                                        intervalSeconds, samples, thresholds, true, rejectCutoff));
        return String.valueOf(refused.getMessage());
    }

    private static Detection detection(AlertType type, double confidence) {
        return new Detection(type, "m", confidence, Box.WHOLE);
    }

    @Test
    void policy_outOfRange_namesTheField() {
        assertEquals("frameIntervalSeconds: 0 (1..3600)", refusal(0, 1, WEAPON, 0.5));
        assertEquals("frameIntervalSeconds: 3601 (1..3600)", refusal(3_601, 1, WEAPON, 0.5));
        assertEquals("samples: 5 (1..4)", refusal(1, 5, WEAPON, 0.5));
        assertEquals("rejectCutoff: 1.5 (0..1)", refusal(1, 1, WEAPON, 1.5));
        assertEquals("rejectCutoff: NaN (0..1)", refusal(1, 1, WEAPON, Double.NaN));
        assertEquals(
                AlertType.NUDE.wireName() + ": -0.1 (0..1)",
                refusal(1, 1, Map.of(AlertType.NUDE, -0.1), 0.5));
    }

    @Test
    void judge_typeThatIsNotRequested_isRefused() {
        ModerationPolicy policy = new ModerationPolicy(1, 1, WEAPON, true, 0.5);

        var refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> policy.judge(detection(AlertType.NUDE, 0.9)));

        assertEquals(
                "alert type not requested: " + AlertType.NUDE.wireName(), refused.getMessage());
    }

    @Test
    void highest_ofSeveral_isTheWorst() {
        ModerationPolicy policy = new ModerationPolicy(4, 2, WEAPON, true, 0.5);

        assertEquals(RiskLevel.PASS, policy.highest(List.of()));
        assertEquals(
                policy.judge(detection(AlertType.WEAPON, 0.99)),
                policy.highest(
                        List.of(
                                detection(AlertType.WEAPON, 0.1),
                                detection(AlertType.WEAPON, 0.99),
                                detection(AlertType.WEAPON, 0.65))));
        assertEquals(2_000_000, policy.sampleDistanceUs());
    }

    @Test
    void box_outsideTheFrame_isRefused_itsCornersAreClipped() {
        var refused = assertThrows(IllegalArgumentException.class, () -> new Box(-0.1, 0, 1, 1));

        assertEquals("box: -0.1, 0.0, 1.0, 1.0 (0..1)", refused.getMessage());
        assertEquals(List.of(0.0, 0.5, 0.5, 0.5), Box.ofCorners(-0.5, 0.5, 0.5, 1.5).toList());
    }
}
