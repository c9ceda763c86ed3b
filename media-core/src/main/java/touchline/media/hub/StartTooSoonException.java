package touchline.media.hub;

import java.io.Serial;
import java.time.Duration;
import touchline.media.StreamId;

/** A scoreboard push starts too soon after its programme and must retry later. */
public final class StartTooSoonException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    private final long retryInSeconds;

    StartTooSoonException(StreamId stream, Duration left) {
        super("stream " + stream + " has just started; its scoreboard push must wait " + left);
        retryInSeconds = Math.ceilDiv(left.toNanos(), Duration.ofSeconds(1).toNanos());
    }

    /** Whole seconds, rounded up, after which the push is admitted. */
    public long retryInSeconds() {
        return retryInSeconds;
    }
}
