package touchline.api.domain;

import java.time.Duration;
import touchline.media.StreamId;
import touchline.media.hub.FailoverSettings;

/**
 * What a push key publishes, as far as its encoder is admitted by it. Without the key: it may stay
 * in memory. Immutable.
 *
 * @param reconnectWindow for which a session waits for its encoder
 * @param failover between the encoder and its backup
 */
public record PublishTerms(
        StreamId stream, PushRole role, Duration reconnectWindow, FailoverSettings failover) {
    /** Of one of the keys of a stream. */
    public static PublishTerms of(StreamDefinition stream, PushRole role) {
        return new PublishTerms(
                stream.id(),
                role,
                Duration.ofSeconds(stream.settings().reconnectWindowSeconds()),
                stream.backup().failover());
    }
}
