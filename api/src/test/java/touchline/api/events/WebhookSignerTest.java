package touchline.api.events;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import touchline.api.domain.WebhookSecrets;

/** Signatures as the reference implementation of Standard Webhooks sees them. */
final class WebhookSignerTest {
    private static final String ID = "evt_1";
    private static final String BODY =
            "{\"type\":\"webhook.test\",\"text\":\"\u00e4\ud83c\udfc6\"}";

    private final long now = Instant.now().getEpochSecond();
    private final String secret = WebhookSecrets.create();

    private Map<String, List<String>> headers(String signature) {
        return Map.of(
                "webhook-id", List.of(ID),
                "webhook-timestamp", List.of(Long.toString(now)),
                "webhook-signature", List.of(signature));
    }

    @Test
    void secret_asItIsMade_isOneOfTheStandard() {
        assertTrue(secret.startsWith("whsec_"), secret);
        assertEquals(
                32,
                Base64.getDecoder()
                        .decode(secret.substring(WebhookSecrets.PREFIX.length()))
                        .length);
    }

    @Test
    void signature_ofABody_isAccepted() throws Exception {
        String signature = WebhookSigner.sign(List.of(secret), ID, now, BODY);

        assertDoesNotThrow(() -> new Webhook(secret).verify(BODY, headers(signature)));
        assertEquals(new Webhook(secret).sign(ID, now, BODY), signature);
    }

    @Test
    void signature_ofAnotherBodyIdTimeOrSecret_isRefused() {
        for (String signature :
                List.of(
                        WebhookSigner.sign(List.of(secret), ID, now, BODY + " "),
                        WebhookSigner.sign(List.of(secret), "evt_2", now, BODY),
                        WebhookSigner.sign(List.of(secret), ID, now + 1, BODY),
                        WebhookSigner.sign(List.of(WebhookSecrets.create()), ID, now, BODY))) {
            assertThrows(
                    WebhookVerificationException.class,
                    () -> new Webhook(secret).verify(BODY, headers(signature)));
        }
    }

    @Test
    void twoSignatures_afterARotation_areAcceptedByBothSecrets() {
        String before = WebhookSecrets.create();
        String both = WebhookSigner.sign(List.of(secret, before), ID, now, BODY);

        assertEquals(2, both.split(" ", -1).length);
        for (String each : List.of(secret, before)) {
            assertDoesNotThrow(() -> new Webhook(each).verify(BODY, headers(both)));
        }
    }
}
