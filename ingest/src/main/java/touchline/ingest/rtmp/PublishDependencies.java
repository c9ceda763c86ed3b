package touchline.ingest.rtmp;

import java.util.Optional;
import touchline.ingest.amf.AmfValue;
import touchline.media.hub.LiveStreams;

/**
 * What the sessions of all encoders of a server share. Any thread.
 *
 * @param relayed checks encoders that another node relays
 * @param relays relays encoders to other nodes; empty without a cluster
 */
record PublishDependencies(
        Refusals refusals,
        LiveStreams streams,
        PublishAdmission admission,
        RelayVerifier relayed,
        Optional<RtmpRelays> relays) {
    /**
     * A relay for an encoder.
     *
     * @param connect its command
     * @throws IllegalStateException without a cluster
     */
    RtmpRelay relay(EncoderConnection connection, AmfValue connect, RtmpRelay.Session session) {
        RtmpRelays all = relays.orElseThrow(() -> new IllegalStateException("no key for relays"));
        return new RtmpRelay(all, new RtmpRelays.Encoder(connection, connect), session);
    }
}
