package touchline.ingest.rtmp;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.ingest.RelayKey;
import touchline.ingest.amf.AmfValue;
import touchline.ingest.rtmp.RtmpCounters.Refusal;

/**
 * Checks connections that say another node relays them. One per server; the connection's event
 * loop.
 *
 * @param key of this node; empty without a cluster
 * @param limit counts a relayed connection for the address of its encoder
 */
record RelayVerifier(Optional<RelayKey> key, ConnectionLimit limit, InstantSource clock) {
    private static final Logger log = LoggerFactory.getLogger(RelayVerifier.class);

    sealed interface Result {}

    /**
     * @param streamKey of those that were possible
     */
    record Valid(String streamKey) implements Result {
        @Override
        public String toString() {
            return "Valid";
        }
    }

    record Invalid(Refusal refusal, String description) implements Result {}

    /**
     * Checks the credential at a publish. The connection is that of the encoder from then on.
     *
     * @param property of {@code connect}
     * @param streamKeys the possible ones; secrets
     */
    Result check(AmfValue property, List<String> streamKeys, EncoderConnection connection) {
        Optional<RelayCredential> shown = RelayCredential.parse(property);
        if (key.isEmpty() || shown.isEmpty()) {
            return new Invalid(
                    Refusal.RELAY_CREDENTIAL, "The credential of the relay cannot be checked.");
        }
        RelayCredential credential = shown.get();
        String refusal = "The relay has no stream key.";
        for (String streamKey : streamKeys) {
            Optional<String> refused = credential.refusal(key.get(), streamKey, clock.instant());
            if (refused.isEmpty()) {
                return counted(credential, streamKey, connection);
            }
            refusal = refused.get();
        }
        return new Invalid(Refusal.RELAY_CREDENTIAL, refusal);
    }

    private Result counted(
            RelayCredential credential, String streamKey, EncoderConnection connection) {
        if (!limit.move(connection.channel(), credential.encoder().getAddress())) {
            return new Invalid(
                    Refusal.ADDRESS_LIMIT, "Too many connections of the encoder's address.");
        }
        connection.relayed(ClientText.address(credential.encoder()));
        log.info(
                "peer={} is relayed by node={}",
                connection.peer(),
                ClientText.escaped(credential.node()));
        return new Valid(streamKey);
    }
}
