package touchline.media.hub;

import java.io.Serial;
import java.time.Duration;
import touchline.media.StreamId;

/** A scoreboard push wants to start right behind its programme, and has to try again later. */
public final class StartTooSoonException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    private final long retryInSeconds;

    StartTooSoonException(StreamId stream, Duration left) {
        super("stream " + stream + " has just started; its scoreboard push must wait " + left);
        retryInSeconds = Math.ceilDiv(left.toNanos(), Duration.ofSeconds(1).toNanos());
    }

    /** Whole seconds, rounded up: a push that waits so long is let in. */
    public long retryInSeconds() {
        return retryInSeconds;
    }
}
