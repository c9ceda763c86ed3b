package touchline.benchmarks.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.databind.JsonNode;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

/** Signs tokens for signed playback ids (RS256), as docs/signed-playback.md shows. Stateless. */
final class PlaybackToken {
    private PlaybackToken() {}

    /**
     * @param key the reply to the creation of a signing key
     */
    static String sign(JsonNode key, String playbackId, Duration validFor) {
        byte[] pem = Base64.getDecoder().decode(key.path("private_key").asText());
        String der = new String(pem, US_ASCII).replaceAll("-----[A-Z ]+-----", "");
        long expires = Instant.now().plus(validFor).getEpochSecond();
        String token =
                base64("{\"alg\":\"RS256\",\"kid\":\"%s\"}".formatted(key.path("id").asText()))
                        + '.'
                        + base64(
                                "{\"sub\":\"%s\",\"aud\":\"v\",\"exp\":%d}"
                                        .formatted(playbackId, expires));
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(
                    KeyFactory.getInstance("RSA")
                            .generatePrivate(
                                    new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(der))));
            signature.update(token.getBytes(US_ASCII));
            return token + '.' + base64(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("private_key of a signing key", e);
        }
    }

    private static String base64(String json) {
        return base64(json.getBytes(US_ASCII));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
