package touchline.api.access;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Permission to play one signed playback id, given for a valid token. Immutable.
 *
 * @param signingKeyId the key that signed the token; its deletion makes the grant invalid
 * @param tokenHash SHA-256 of the token, lower-case hex, its first 32 digits
 * @param expiresAt the token's expiry, cut to seconds
 * @param viewers the token's rules for viewers, which apply to every request with the grant
 */
record Grant(
        String playbackId,
        String signingKeyId,
        String tokenHash,
        Instant expiresAt,
        ViewerRules viewers) {
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

    /**
     * The grant for a valid token.
     *
     * @param tokenSha256 of its text, lower-case hex
     */
    static Grant of(PlaybackToken token, String tokenSha256) {
        return new Grant(
                token.playbackId(),
                token.signingKeyId(),
                tokenSha256.substring(0, HASH_DIGITS),
                token.expiresAt(),
                token.viewers());
    }
}
