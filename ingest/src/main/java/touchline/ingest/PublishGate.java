package touchline.ingest;

import java.util.Optional;
import touchline.media.CodecConfig;

/**
 * Port: decides whether a key may publish, and as what. Called on a virtual thread, so it may
 * block; the answer goes back to the connection's event loop.
 */
@FunctionalInterface
public interface PublishGate {
    /**
     * @param streamKey as the encoder sent it, query parameters removed; never to be logged
     */
    PublishDecision decide(String streamKey);

    /**
     * Decides about a publisher that another node relays, whose credential is valid. It is served
     * here or refused, and never relayed again.
     */
    default PublishDecision decideRelayed(String streamKey) {
        return decide(streamKey);
    }

    /** With what the nodes of a cluster know each other; empty without a cluster. Never changes. */
    default Optional<RelayKey> relayKey() {
        return Optional.empty();
    }

    /**
     * Name of a codec that no main publisher may send, with advice; empty if it may. Called on the
     * event loop; does not block.
     */
    default Optional<String> refusal(CodecConfig codec) {
        return Optional.empty();
    }
}
