package touchline.benchmarks.simulation;

import org.jspecify.annotations.Nullable;
import touchline.api.cluster.ownership.PublishAttempt;

/** A publishing connection at a node: of an encoder, or of a relay of one. */
final class Connection {
    final String id;
    final String stream;

    /** The encoder at the other end; null for a relay. */
    final @Nullable SimulatedEncoder encoder;

    /** The relaying node at the other end; null for an encoder. */
    final @Nullable SimulatedNode relayFrom;

    /** Null for a relay, which is never relayed again. */
    @Nullable PublishAttempt attempt;

    /** The owner to which this encoder's media is relayed. */
    @Nullable SimulatedNode relayTo;

    /** Node time of the newest sign of life of {@link #relayTo}. */
    long relayAckMs;

    Connection(
            String id,
            String stream,
            @Nullable SimulatedEncoder encoder,
            @Nullable SimulatedNode relayFrom) {
        this.id = id;
        this.stream = stream;
        this.encoder = encoder;
        this.relayFrom = relayFrom;
    }
}
