package touchline.ingest;

import java.time.Duration;
import touchline.media.StreamId;
import touchline.media.hub.FailoverSettings;

/** Decision of a {@link PublishGate}: serve here, relay to another node, or refuse. */
public sealed interface PublishDecision {
    /**
     * The key publishes the programme of a stream.
     *
     * @param reconnectWindow how long the session waits after this publisher disconnects
     */
    record Main(StreamId stream, Duration reconnectWindow) implements PublishDecision {}

    /**
     * The key publishes the programme of a stream by a second encoder.
     *
     * @param failover when the programme switches between both encoders
     */
    record Backup(StreamId stream, Duration reconnectWindow, FailoverSettings failover)
            implements PublishDecision {}

    /** The key publishes the scoreboard beside a stream. */
    record Overlay(StreamId stream, Duration reconnectWindow) implements PublishDecision {}

    /**
     * Another node owns the stream: the publisher is relayed to it.
     *
     * @param owner where it is
     * @param publish decides again when the owner does not take the publisher, or is lost
     */
    record Relay(StreamId stream, OwnerNode owner, RelayedPublish publish)
            implements PublishDecision {}

    /**
     * Refused: the connection gets an onStatus and is closed.
     *
     * @param reason for the {@code onStatus} code
     * @param description for the encoder's log; no secrets
     */
    record Refused(Reason reason, String description) implements PublishDecision {}

    /** Which {@code onStatus} code a refusal carries. */
    enum Reason {
        /** Unknown key: {@code NetStream.Publish.BadName}. */
        BAD_NAME,
        /** Known, but not now: {@code NetStream.Publish.Denied}. */
        DENIED,
        /**
         * A publisher that another node relays, while this node does not own the stream. That node
         * looks for the owner again; its encoder receives nothing.
         */
        NOT_OWNER
    }
}
