package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.ingest.OwnerNode;
import touchline.ingest.amf.AmfValue;

class RelayCredentialTest {
    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
    private static final InetSocketAddress ENCODER =
            new InetSocketAddress(InetAddress.ofLiteral("2001:db8::7"), 50_412);
    private static final TestRelayKey RELAY = new TestRelayKey("node-a", "secret");
    private static final TestRelayKey OWNER = new TestRelayKey("node-b", "secret");
    private static final OwnerNode OWNER_NODE =
            new OwnerNode("node-b", new InetSocketAddress(InetAddress.getLoopbackAddress(), 1935));
    private static final Optional<String> NOT_VALID =
            Optional.of("The credential of the relay is not valid.");

    private final AmfValue property =
            RelayCredential.issue(RELAY, OWNER_NODE, "k3y", ENCODER, NOW).property();

    @Test
    void issued_isValidForItsStreamAtItsOwner_untilItExpires() {
        RelayCredential credential = RelayCredential.parse(property).orElseThrow();
        Instant end = NOW.plus(RelayCredential.LIFETIME);

        assertEquals("node-a", credential.node());
        assertEquals(ENCODER, credential.encoder());
        assertEquals(Optional.empty(), credential.refusal(OWNER, "k3y", NOW));
        assertEquals(Optional.empty(), credential.refusal(OWNER, "k3y", end));
        assertEquals(
                Optional.of("The credential of the relay has expired."),
                credential.refusal(OWNER, "k3y", end.plusMillis(1)));
        assertEquals(NOT_VALID, credential.refusal(OWNER, "other", NOW));
        assertEquals(
                NOT_VALID, credential.refusal(new TestRelayKey("node-c", "secret"), "k3y", NOW));
        assertEquals(
                NOT_VALID, credential.refusal(new TestRelayKey("node-b", "other"), "k3y", NOW));
    }

    @ParameterizedTest
    @ValueSource(strings = {"node", "address", "port", "expires", "hmac"})
    void eachField_isCoveredAndNeeded(String field) {
        AmfValue other =
                switch (field) {
                    case "port" -> new AmfValue.Num(1);
                    case "expires" -> new AmfValue.Num(NOW.toEpochMilli() + 600_000);
                    case "address" -> new AmfValue.Text("2001:db8::8");
                    default -> new AmfValue.Text("00");
                };

        RelayCredential changed = RelayCredential.parse(with(field, other)).orElseThrow();

        assertEquals(NOT_VALID, changed.refusal(OWNER, "k3y", NOW));
        assertEquals(Optional.empty(), RelayCredential.parse(with(field, AmfValue.Absent.NULL)));
    }

    @Test
    void address_isALiteral_andThePortAPort() {
        assertEquals(
                Optional.empty(),
                RelayCredential.parse(with("address", new AmfValue.Text("example.com"))));
        for (double port : new double[] {-1, 65_536, Double.NaN}) {
            assertEquals(
                    Optional.empty(), RelayCredential.parse(with("port", new AmfValue.Num(port))));
        }
        assertEquals(Optional.empty(), RelayCredential.parse(new AmfValue.Text("node-a")));
    }

    private AmfValue with(String field, AmfValue value) {
        Map<String, AmfValue> fields = new LinkedHashMap<>(((AmfValue.Obj) property).properties());
        fields.put(field, value);
        return new AmfValue.Obj(fields);
    }
}
