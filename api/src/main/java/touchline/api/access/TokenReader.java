package touchline.api.access;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.util.Base64URL;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * Reads playback tokens: compact JWS (RFC 7515, 7.1), RS256 and nothing else, by a key of this
 * server, checked as RFC 8725 asks. Claims are looked at only after the signature. It costs an RSA
 * operation: not for event loops. Any thread.
 *
 * <p>The text is taken by the letter: base64url without padding in its one spelling, UTF-8, no
 * duplicate members. So a token has one text, and what was verified is what is read.
 */
final class TokenReader {
    static final int MAX_BYTES = 4096;

    private static final int MAX_DEPTH = 8;
    private static final int PARTS = 3;

    private static final JWSHeader RS256 = new JWSHeader(JWSAlgorithm.RS256);

    private static final JsonMapper JSON =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(MAX_DEPTH)
                                                    .maxNumberLength(100)
                                                    .build())
                                    .build())
                    .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private final VerifyingKeys keys;

    TokenReader(VerifyingKeys keys) {
        this.keys = keys;
    }

    /**
     * @throws TokenRejectedException where it is not a token of this server
     */
    PlaybackToken read(String text) throws TokenRejectedException {
        if (text.length() > MAX_BYTES) {
            throw new TokenRejectedException(Refusal.TOKEN_TOO_LONG);
        }
        String[] parts = text.split("\\.", -1);
        if (parts.length != PARTS) {
            throw malformed();
        }
        ObjectNode header = object(bytes(parts[0]));
        ObjectNode claims = object(bytes(parts[1]));
        bytes(parts[2]);
        if (!header.path("alg").isTextual() || !header.path("alg").textValue().equals("RS256")) {
            throw new TokenRejectedException(Refusal.ALGORITHM);
        }
        if (header.has("crit") || header.has("b64")) {
            throw new TokenRejectedException(Refusal.EXTENSION);
        }
        String keyId = keyId(header, claims);
        Optional<JWSVerifier> verifier = keys.find(keyId);
        if (verifier.isEmpty() || !isSigned(text, verifier.get())) {
            throw new TokenRejectedException(Refusal.SIGNATURE);
        }
        return TokenClaims.read(claims, keyId);
    }

    /**
     * By the header, as RFC 7515, 4.1.4 has it, or as a claim; never used for more than a look-up.
     */
    private static String keyId(ObjectNode header, ObjectNode claims)
            throws TokenRejectedException {
        JsonNode inHeader = header.get("kid");
        JsonNode claimed = claims.get("kid");
        JsonNode either = inHeader == null ? claimed : inHeader;
        boolean same = inHeader == null || claimed == null || inHeader.equals(claimed);
        if (either == null || !either.isTextual() || !same) {
            throw new TokenRejectedException(Refusal.KEY_ID);
        }
        return either.textValue();
    }

    /** By our own header, not the token's: nothing in that one reaches the library. */
    private static boolean isSigned(String text, JWSVerifier verifier) {
        int dot = text.lastIndexOf('.');
        byte[] input = text.substring(0, dot).getBytes(StandardCharsets.US_ASCII);
        try {
            return verifier.verify(RS256, input, new Base64URL(text.substring(dot + 1)));
        } catch (JOSEException _) {
            return false;
        }
    }

    private static byte[] bytes(String part) throws TokenRejectedException {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(part);
            if (Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(part)) {
                return bytes;
            }
        } catch (IllegalArgumentException _) {
            // Rejected below, as any other spelling.
        }
        throw malformed();
    }

    private static ObjectNode object(byte[] utf8) throws TokenRejectedException {
        try {
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
            if (JSON.readTree(text) instanceof ObjectNode object) {
                return object;
            }
        } catch (CharacterCodingException | JsonProcessingException _) {
            // The parser's words repeat the input.
        }
        throw malformed();
    }

    private static TokenRejectedException malformed() {
        return new TokenRejectedException(Refusal.TOKEN_MALFORMED);
    }
}
