package touchline.api.domain;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * What a restream does now. Immutable.
 *
 * @param lastError why it failed last, in this session; empty if it did not
 * @param bitrateBps of the media that the target has taken, over the last seconds
 * @param since when the state began; empty if no session has used it yet
 * @param reconnects connections after the first, in this session
 * @param droppedFrames frames and audio that were not sent because the target was too slow
 */
public record RestreamStatus(
        State state,
        Optional<String> lastError,
        long bitrateBps,
        Optional<Instant> since,
        int reconnects,
        long droppedFrames) {
    /** No session, or disabled. */
    public static final RestreamStatus IDLE =
            new RestreamStatus(
                    State.IDLE, Optional.empty(), 0, Optional.empty(), 0, /* droppedFrames= */ 0);

    /** The states, as the API names them. */
    public enum State {
        /** Nothing is to be sent. */
        IDLE,
        /** A connection is being made. */
        CONNECTING,
        /** The target takes media. */
        LIVE,
        /** The last connection failed; the next one follows. */
        FAILED;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
