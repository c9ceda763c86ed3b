package touchline.api.vod;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import touchline.api.domain.OutputStorage;
import touchline.api.domain.StorageKeys;

/**
 * Headers of a notification by Standard Webhooks 1.0. The key is the storage's notify secret; where
 * none was given, its secret key, which both sides know too. Stateless.
 */
public final class NoticeSignature {
    private static final String SECRET_PREFIX = "whsec_";
    private static final String ALGORITHM = "HmacSHA256";

    private NoticeSignature() {}

    static Map<String, String> headers(
            OutputStorage storage, String id, long timestampSeconds, byte[] body) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("webhook-id", id);
        headers.put("webhook-timestamp", Long.toString(timestampSeconds));
        key(storage)
                .ifPresent(
                        key ->
                                headers.put(
                                        "webhook-signature",
                                        "v1," + sign(key, id, timestampSeconds, body)));
        return headers;
    }

    private static Optional<byte[]> key(OutputStorage storage) {
        return storage.notifySecret()
                .map(secret -> Base64.getDecoder().decode(secret.substring(SECRET_PREFIX.length())))
                .or(
                        () ->
                                storage.keys()
                                        .map(StorageKeys::secretKey)
                                        .map(key -> key.getBytes(StandardCharsets.UTF_8)));
    }

    /** Whether a client may give this as a secret. */
    public static boolean isSecret(String text) {
        if (!text.startsWith(SECRET_PREFIX)) {
            return false;
        }
        try {
            int bytes = Base64.getDecoder().decode(text.substring(SECRET_PREFIX.length())).length;
            return bytes >= 24 && bytes <= 64;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static String sign(byte[] key, String id, long timestampSeconds, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            mac.update((id + "." + timestampSeconds + ".").getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }
}
