package touchline.api.cluster;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import touchline.api.access.Hmac;
import touchline.api.access.MasterKeys;

/**
 * How nodes of a cluster authenticate their calls to each other: {@code id.timestamp.hmac}, under a
 * key that is derived from the master key. HTTP requests carry it in the header {@link #HEADER}, a
 * relayed RTMP publisher in a property of {@code connect}. A signature is good for 30 s, by the
 * time of the database. Any thread.
 */
public final class NodeSignature {
    /** The header of HTTP requests. */
    public static final String HEADER = "X-Touchline-Node";

    private static final String PURPOSE = "cluster";
    private static final Duration VALID = Duration.ofSeconds(30);

    /** Far longer than any that this class makes. */
    private static final int MAX_LENGTH = 200;

    private final Hmac hmac;
    private final String node;
    private final InstantSource clock;

    /**
     * @param node id of this node
     * @param clock the same for all nodes, within seconds
     */
    public NodeSignature(MasterKeys keys, String node, InstantSource clock) {
        this.hmac = new Hmac(keys, PURPOSE);
        this.node = node;
        this.clock = clock;
    }

    /**
     * Signs one call in the name of this node.
     *
     * @param method of the HTTP request; for another protocol its name, such as {@code RTMP}
     * @param target path and query of the HTTP request; for another protocol what the call names
     */
    public String sign(String method, String target) {
        long timestampMs = clock.millis();
        byte[] code = code(node, timestampMs, method, target);
        return node + "." + timestampMs + "." + encoder().encodeToString(code);
    }

    /**
     * Checks a signature of these values.
     *
     * @param signature anything that a client has sent
     * @return the id of the node that has signed; empty if the signature is not good
     */
    public Optional<String> verify(String signature, String method, String target) {
        int behindTime = signature.lastIndexOf('.');
        int behindNode = signature.lastIndexOf('.', behindTime - 1);
        if (behindNode < 1 || signature.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        String signer = signature.substring(0, behindNode);
        try {
            long timestampMs = Long.parseLong(signature, behindNode + 1, behindTime, 10);
            byte[] code = Base64.getUrlDecoder().decode(signature.substring(behindTime + 1));
            boolean good =
                    hmac.isGood(code, text(signer, timestampMs), subject(method, target))
                            && isFresh(timestampMs);
            return good ? Optional.of(signer) : Optional.empty();
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private boolean isFresh(long timestampMs) {
        Duration age = Duration.between(Instant.ofEpochMilli(timestampMs), clock.instant());
        return age.abs().compareTo(VALID) <= 0;
    }

    private byte[] code(String signer, long timestampMs, String method, String target) {
        return hmac.make(text(signer, timestampMs), subject(method, target));
    }

    /** A method has no space. */
    private static byte[] subject(String method, String target) {
        return (method + " " + target).getBytes(StandardCharsets.UTF_8);
    }

    private static String text(String signer, long timestampMs) {
        return signer + "." + timestampMs;
    }

    private static Base64.Encoder encoder() {
        return Base64.getUrlEncoder().withoutPadding();
    }
}
