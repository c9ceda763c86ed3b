package touchline.api.domain;

import touchline.moderation.AlertType;
import touchline.moderation.Box;
import touchline.moderation.RiskLevel;

/**
 * One result of one model for one frame. Immutable.
 *
 * @param type of the finding; {@code model} in the interface
 * @param modelVersion which model that was: the name of its folder
 * @param confidence 0 to 1
 */
public record ModerationFinding(
        AlertType type, String modelVersion, double confidence, RiskLevel risk, Box box) {
    /** Whether it is an alert. */
    public boolean isAlert() {
        return risk != RiskLevel.PASS;
    }
}
