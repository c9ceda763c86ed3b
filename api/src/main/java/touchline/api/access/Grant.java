package touchline.api.access;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Leave to see what lies below one signed playback id, given for a good token. Immutable.
 *
 * @param signingKeyId the key that signed the token: once it is deleted the grant is worth nothing
 * @param tokenHash SHA-256 of the token, lower-case hex, its first 32 digits
 * @param expiresAt the token's expiry, cut to seconds
 */
public record Grant(String playbackId, String signingKeyId, String tokenHash, Instant expiresAt) {
    static final int HASH_DIGITS = 32;
    static final int MAX_KEY_ID_BYTES = 64;

    public Grant {
        if (tokenHash.length() != HASH_DIGITS) {
            throw new IllegalArgumentException(
                    "token hash: "
                            + tokenHash.length()
                            + " digits (expected: "
                            + HASH_DIGITS
                            + ")");
        }
        if (signingKeyId.isEmpty() || signingKeyId.length() > MAX_KEY_ID_BYTES) {
            throw new IllegalArgumentException(
                    "signing key id: "
                            + signingKeyId.length()
                            + " characters (expected: 1 to "
                            + MAX_KEY_ID_BYTES
                            + ")");
        }
        expiresAt = expiresAt.truncatedTo(ChronoUnit.SECONDS);
    }

    /** For a token that was found good. */
    public static Grant of(
            String playbackId, String signingKeyId, String token, Instant expiresAt) {
        String hash = Digests.sha256(token).substring(0, HASH_DIGITS);
        return new Grant(playbackId, signingKeyId, hash, expiresAt);
    }
}
