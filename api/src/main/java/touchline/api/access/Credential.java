package touchline.api.access;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;

/**
 * What a client presents: {@code Bearer <id>.<secret>} and {@code Basic base64(<id>:<secret>)} are
 * the same. Immutable; toString holds no secret.
 */
public record Credential(String id, String secret) {
    private static final int MAX_HEADER_CHARACTERS = 1024;
    private static final String BEARER = "Bearer ";
    private static final String BASIC = "Basic ";

    /** From the Authorization header; empty where it is malformed or of another scheme. */
    public static Optional<Credential> parse(String authorization) {
        if (authorization.length() > MAX_HEADER_CHARACTERS) {
            return Optional.empty();
        }
        // RFC 9110, 11.1: the scheme's case does not matter.
        if (authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return split(authorization.substring(BEARER.length()).strip(), '.');
        }
        if (authorization.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
            return decode(authorization.substring(BASIC.length()).strip())
                    .flatMap(text -> split(text, ':'));
        }
        return Optional.empty();
    }

    private static Optional<String> decode(String base64) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(base64));
            return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(bytes).toString());
        } catch (IllegalArgumentException | CharacterCodingException _) {
            return Optional.empty();
        }
    }

    private static Optional<Credential> split(String text, char separator) {
        int at = text.indexOf(separator);
        if (at <= 0 || at == text.length() - 1) {
            return Optional.empty();
        }
        return Optional.of(new Credential(text.substring(0, at), text.substring(at + 1)));
    }

    /** Whether its secret has this SHA-256. A wrong one takes as long to compare. */
    boolean matches(String secretHash) {
        return MessageDigest.isEqual(
                Digests.sha256(secret).getBytes(StandardCharsets.US_ASCII),
                secretHash.getBytes(StandardCharsets.US_ASCII));
    }

    /** As it stands behind {@code Bearer}: to be shown once, never logged. */
    public String bearerText() {
        return id + "." + secret;
    }

    @Override
    public String toString() {
        return "Credential[id=" + id + ", secret=masked]";
    }
}
