package touchline.api.events;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.StringJoiner;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import touchline.api.domain.WebhookSecrets;

/** Symmetric signatures of Standard Webhooks 1.0: {@code v1,} and base64. Stateless. */
public final class WebhookSigner {
    private static final String ALGORITHM = "HmacSHA256";

    private WebhookSigner() {}

    /**
     * Returns one signature per secret, separated by spaces.
     *
     * @param id of the event
     * @param timestamp Unix seconds of this attempt
     */
    public static String sign(List<String> secrets, String id, long timestamp, String body) {
        String signed = id + "." + timestamp + "." + body;
        StringJoiner signatures = new StringJoiner(" ");
        for (String secret : secrets) {
            signatures.add("v1," + Base64.getEncoder().encodeToString(mac(secret, signed)));
        }
        return signatures.toString();
    }

    private static byte[] mac(String secret, String text) {
        try {
            byte[] key =
                    Base64.getDecoder().decode(secret.substring(WebhookSecrets.PREFIX.length()));
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(
                    "HmacSHA256 is missing (expected: on every Java platform)", e);
        }
    }
}
