package touchline.ingest;

import java.time.Duration;
import touchline.media.StreamId;

/** What a {@link PublishGate} answers. */
public sealed interface PublishDecision {
    /**
     * The key publishes the programme of a stream.
     *
     * @param reconnectWindow how long the session waits when this publisher goes
     */
    record Main(StreamId stream, Duration reconnectWindow) implements PublishDecision {}

    /** The key publishes the scoreboard beside a stream. */
    record Overlay(StreamId stream, Duration reconnectWindow) implements PublishDecision {}

    /**
     * Refused; the connection is told so and closed.
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
        DENIED
    }
}
