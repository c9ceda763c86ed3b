package touchline.media.hub;

import java.io.Serial;
import java.time.Duration;
import touchline.media.StreamId;

/** A client completed the session of this encoder, which must wait before it publishes again. */
public final class PublisherHeldException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    private final long retryInSeconds;

    PublisherHeldException(StreamId stream, Duration left) {
        super("stream " + stream + " was completed: its encoder waits for " + left);
        this.retryInSeconds = Math.ceilDiv(left.toNanos(), Duration.ofSeconds(1).toNanos());
    }

    /** Whole seconds, rounded up, after which the encoder is admitted. */
    public long retryInSeconds() {
        return retryInSeconds;
    }
}
