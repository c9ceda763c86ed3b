package touchline.benchmarks.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

/** Signs tokens for signed playback ids, as the documents show it. Immutable, any thread. */
final class PlaybackTokens {
    private static final Duration GOOD_FOR = Duration.ofDays(1);

    private final String keyId;
    private final PrivateKey key;

    private PlaybackTokens(String keyId, PrivateKey key) {
        this.keyId = keyId;
        this.key = key;
    }

    /**
     * @param made the reply to the creation of a signing key
     */
    static PlaybackTokens of(JsonNode made) {
        String pem =
                new String(Base64.getDecoder().decode(made.path("private_key").asText()), US_ASCII);
        byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
        try {
            PrivateKey key =
                    KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(der));
            return new PlaybackTokens(made.path("id").asText(), key);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("private_key of a signing key", e);
        }
    }

    String sign(String playbackId) {
        String header = encode("{\"alg\":\"RS256\",\"kid\":\"%s\"}".formatted(keyId));
        long expires = Instant.now().plus(GOOD_FOR).getEpochSecond();
        String claims =
                encode("{\"sub\":\"%s\",\"aud\":\"v\",\"exp\":%d}".formatted(playbackId, expires));
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(key);
            signature.update((header + '.' + claims).getBytes(US_ASCII));
            return header + '.' + claims + '.' + base64(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("RS256", e);
        }
    }

    private static String encode(String json) {
        return base64(json.getBytes(UTF_8));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
