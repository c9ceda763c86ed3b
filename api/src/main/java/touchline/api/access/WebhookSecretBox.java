package touchline.api.access;

import java.security.SecureRandom;
import java.util.Base64;
import touchline.api.db.WebhookSecretVault;
import touchline.api.domain.WebhookSecrets;

/**
 * Secrets that deliveries are signed with: made here, shown once, stored sealed because they are
 * used again with every delivery. Any thread.
 */
public final class WebhookSecretBox implements WebhookSecretVault {
    /** Standard Webhooks 1.0 asks for 24 to 64 bytes. */
    private static final int SECRET_BYTES = 32;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final SecretBox box;

    public WebhookSecretBox(SecretBox box) {
        this.box = box;
    }

    /** A new secret. */
    public static String create() {
        byte[] bytes = new byte[SECRET_BYTES];
        RANDOM.nextBytes(bytes);
        return WebhookSecrets.PREFIX + Base64.getEncoder().encodeToString(bytes);
    }

    @Override
    public String seal(String secret, String endpoint) {
        return box.seal(secret, context(endpoint));
    }

    @Override
    public String open(String sealed, String endpoint) {
        return box.open(sealed, context(endpoint));
    }

    @Override
    public boolean isStale(String sealed) {
        return box.isStale(sealed);
    }

    private static String context(String endpoint) {
        return "webhook secret of " + endpoint;
    }
}
