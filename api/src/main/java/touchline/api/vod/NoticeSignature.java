package touchline.api.vod;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import touchline.api.domain.OutputStorage;
import touchline.api.domain.StorageKeys;
import touchline.api.domain.WebhookSecrets;
import touchline.api.events.WebhookSigner;

/**
 * Headers of a notification by Standard Webhooks 1.0. The key is the storage's notify secret, or
 * without one its secret key, which the client has too. Stateless.
 */
public final class NoticeSignature {
    private static final int MIN_BYTES = 24;
    private static final int MAX_BYTES = 64;

    private NoticeSignature() {}

    static Map<String, String> headers(
            OutputStorage storage, String id, long timestampSeconds, String body) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("webhook-id", id);
        headers.put("webhook-timestamp", Long.toString(timestampSeconds));
        secret(storage)
                .ifPresent(
                        secret ->
                                headers.put(
                                        "webhook-signature",
                                        WebhookSigner.sign(
                                                List.of(secret), id, timestampSeconds, body)));
        return headers;
    }

    private static Optional<String> secret(OutputStorage storage) {
        return storage.notifySecret()
                .or(() -> storage.keys().map(StorageKeys::secretKey).map(NoticeSignature::of));
    }

    private static String of(String text) {
        return WebhookSecrets.PREFIX
                + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Whether this is a valid secret of a client. */
    public static boolean isSecret(String text) {
        if (!text.startsWith(WebhookSecrets.PREFIX)) {
            return false;
        }
        try {
            String base64 = text.substring(WebhookSecrets.PREFIX.length());
            int bytes = Base64.getDecoder().decode(base64).length;
            return bytes >= MIN_BYTES && bytes <= MAX_BYTES;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}
