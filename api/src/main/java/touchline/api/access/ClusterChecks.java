package touchline.api.access;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Fingerprints of what is the same on all nodes of a cluster. They reveal nothing without the
 * master key. Immutable, any thread.
 *
 * @param masterKey of the current master key
 * @param adminSecret of the secret of token admin
 */
public record ClusterChecks(String masterKey, String adminSecret) {
    public static ClusterChecks of(MasterKeys keys, String adminSecret) {
        Hmac hmac = new Hmac(keys, "cluster check");
        HexFormat hex = HexFormat.of();
        return new ClusterChecks(
                hex.formatHex(hmac.make("master key", new byte[0])),
                hex.formatHex(
                        hmac.make("admin secret", adminSecret.getBytes(StandardCharsets.UTF_8))));
    }
}
