package touchline.api.domain;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What an endpoint's deliveries are signed with: secrets of Standard Webhooks, {@code whsec_} and
 * base64. Immutable; toString holds none of them.
 *
 * @param previous signs too for a while after a rotation
 */
public record WebhookSecrets(String current, Optional<Previous> previous) {
    /** Begins every secret. */
    public static final String PREFIX = "whsec_";

    /**
     * @param until not valid from then on
     */
    public record Previous(String secret, Instant until) {
        @Override
        public String toString() {
            return "Previous[secret=masked, until=" + until + "]";
        }
    }

    /** Those that sign now, the current one first. */
    public List<String> valid(Instant now) {
        return previous.filter(old -> now.isBefore(old.until()))
                .map(old -> List.of(current, old.secret()))
                .orElseGet(() -> List.of(current));
    }

    @Override
    public String toString() {
        return "WebhookSecrets[current=masked, previous=" + previous + "]";
    }
}
