package touchline.api.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The public half of a key that signs playback tokens. Immutable.
 *
 * @param id made by the server; tokens name it as their kid
 * @param publicKey base64 of a SubjectPublicKeyInfo (RFC 5280, 4.1.2.7)
 * @param createdAt cut to milliseconds
 * @param lastUsedAt when a token that it signed was last accepted, cut to milliseconds; empty:
 *     never
 */
public record SigningKey(
        String id, String publicKey, Instant createdAt, Optional<Instant> lastUsedAt) {
    private static final int RANDOM_BITS = 96;

    public SigningKey {
        if (id.isBlank()) {
            throw new IllegalArgumentException("signing key id: blank");
        }
        createdAt = createdAt.truncatedTo(ChronoUnit.MILLIS);
        lastUsedAt = lastUsedAt.map(at -> at.truncatedTo(ChronoUnit.MILLIS));
    }

    public SigningKey usedAt(Optional<Instant> time) {
        return new SigningKey(id, publicKey, createdAt, time);
    }

    /** A new identifier; not secret. */
    public static String newId() {
        return "key_" + RandomText.ofBits(RANDOM_BITS);
    }
}
