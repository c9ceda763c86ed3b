package touchline.api.domain;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The secrets that sign an endpoint's deliveries (Standard Webhooks): {@code whsec_} and base64.
 * Immutable; toString masks them.
 *
 * @param previous signs too for a time after a rotation
 */
public record WebhookSecrets(String current, Optional<Previous> previous) {
    /** The prefix of every secret. */
    public static final String PREFIX = "whsec_";

    /** Standard Webhooks 1.0 asks for 24 to 64 bytes. */
    private static final int SECRET_BYTES = 32;

    private static final SecureRandom RANDOM = new SecureRandom();

    /**
     * @param until end of its validity
     */
    public record Previous(String secret, Instant until) {
        @Override
        public String toString() {
            return "Previous[secret=masked, until=" + until + "]";
        }
    }

    /** A new secret, unguessable. */
    public static String create() {
        byte[] bytes = new byte[SECRET_BYTES];
        RANDOM.nextBytes(bytes);
        return PREFIX + Base64.getEncoder().encodeToString(bytes);
    }

    /** The secrets that sign now, the current one first. */
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
