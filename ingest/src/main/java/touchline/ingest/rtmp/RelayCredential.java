package touchline.ingest.rtmp;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import touchline.ingest.OwnerNode;
import touchline.ingest.RelayKey;
import touchline.ingest.amf.AmfValue;

/**
 * What a node shows when it relays an encoder: the property {@value #PROPERTY} of {@code connect}.
 * The HMAC covers all fields, the node it is for, and the stream key, so that it serves for one
 * stream at one node. Immutable, any thread.
 *
 * @param node that relays
 * @param encoder address and port of the encoder
 * @param expiresMs milliseconds since 1970; both nodes' clocks count
 * @param hmac of {@link #message}
 */
record RelayCredential(String node, InetSocketAddress encoder, long expiresMs, String hmac) {
    static final String PROPERTY = "touchlineRelay";

    /** Two nodes' clocks differ by up to 30 s. */
    static final Duration LIFETIME = Duration.ofSeconds(60);

    private static final String PURPOSE = "touchline rtmp relay 1";
    private static final int MAX_PORT = 65_535;
    private static final int MAX_NODE_CHARACTERS = 255;

    /** For a publish at the owner, from now on. */
    static RelayCredential issue(
            RelayKey key,
            OwnerNode owner,
            String streamKey,
            InetSocketAddress encoder,
            Instant now) {
        long expiresMs = now.plus(LIFETIME).toEpochMilli();
        InetSocketAddress plain = withoutScope(encoder);
        return new RelayCredential(
                key.node(),
                plain,
                expiresMs,
                hmac(key, new String[] {key.node(), owner.id(), streamKey}, plain, expiresMs));
    }

    /** The scope of an IPv6 address names an interface of this machine. */
    private static InetSocketAddress withoutScope(InetSocketAddress address) {
        try {
            return new InetSocketAddress(
                    InetAddress.getByAddress(address.getAddress().getAddress()), address.getPort());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("address of " + address, e);
        }
    }

    /** The property as {@code connect} has it. */
    AmfValue property() {
        Map<String, AmfValue> fields = new LinkedHashMap<>();
        fields.put("node", new AmfValue.Text(node));
        fields.put("address", new AmfValue.Text(encoder.getAddress().getHostAddress()));
        fields.put("port", new AmfValue.Num(encoder.getPort()));
        fields.put("expires", new AmfValue.Num(expiresMs));
        fields.put("hmac", new AmfValue.Text(hmac));
        return new AmfValue.Obj(fields);
    }

    /** Empty for a property that no node sends. */
    static Optional<RelayCredential> parse(AmfValue property) {
        Optional<String> node = property.property("node").flatMap(AmfValue::text);
        Optional<String> address = property.property("address").flatMap(AmfValue::text);
        Optional<Double> port = property.property("port").flatMap(AmfValue::number);
        Optional<Double> expires = property.property("expires").flatMap(AmfValue::number);
        Optional<String> hmac = property.property("hmac").flatMap(AmfValue::text);
        if (node.isEmpty() || address.isEmpty() || port.isEmpty()) {
            return Optional.empty();
        }
        boolean isPort = port.get() >= 0 && port.get() <= MAX_PORT;
        if (!isPort || expires.isEmpty() || hmac.isEmpty()) {
            return Optional.empty();
        }
        if (node.get().length() > MAX_NODE_CHARACTERS) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new RelayCredential(
                            node.get(),
                            // A literal: no name is looked up.
                            new InetSocketAddress(
                                    InetAddress.ofLiteral(address.get()), port.get().intValue()),
                            expires.get().longValue(),
                            hmac.get()));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /**
     * Why it is not valid; empty if it is.
     *
     * @param key of this node
     * @param streamKey that is published
     */
    Optional<String> refusal(RelayKey key, String streamKey, Instant now) {
        String expected = hmac(key, new String[] {node, key.node(), streamKey}, encoder, expiresMs);
        boolean isEqual = MessageDigest.isEqual(bytes(expected), bytes(hmac));
        if (!isEqual) {
            return Optional.of("The credential of the relay is not valid.");
        }
        return now.toEpochMilli() > expiresMs
                ? Optional.of("The credential of the relay has expired.")
                : Optional.empty();
    }

    private static String hmac(
            RelayKey key, String[] texts, InetSocketAddress encoder, long expiresMs) {
        return HexFormat.of().formatHex(key.hmac(message(texts, encoder, expiresMs)));
    }

    /** Each field with its length, so that no two lists of fields have the same bytes. */
    private static byte[] message(String[] texts, InetSocketAddress encoder, long expiresMs) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(PURPOSE);
            for (String each : texts) {
                out.writeUTF(each);
            }
            out.writeUTF(encoder.getAddress().getHostAddress());
            out.writeInt(encoder.getPort());
            out.writeLong(expiresMs);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "RelayCredential[" + node + "]";
    }
}
