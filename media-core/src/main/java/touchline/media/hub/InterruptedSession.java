package touchline.media.hub;

import java.time.Duration;
import java.time.Instant;
import touchline.media.SessionId;
import touchline.media.StreamId;

/**
 * A session of the programme that a stop of its server has interrupted, as far as {@link
 * LiveStreams#resume} needs it. Immutable.
 *
 * @param startedAt time of its first media
 * @param disconnectedAt when its encoder was disconnected
 * @param reconnectWindow how long it waits for its encoder after each disconnection
 * @param left of the window that runs now; above zero
 * @param mediaEndUs media time at which the next timeline may start
 * @param timelines how many there were
 */
public record InterruptedSession(
        StreamId stream,
        SessionId session,
        Instant startedAt,
        Instant disconnectedAt,
        Duration reconnectWindow,
        Duration left,
        long mediaEndUs,
        int timelines) {
    /** The same, with media up to this time at least. */
    public InterruptedSession endingAt(long endUs) {
        return with(Math.max(mediaEndUs, endUs), left);
    }

    /** The same, with another rest of its window. */
    public InterruptedSession leaving(Duration rest) {
        return with(mediaEndUs, rest);
    }

    private InterruptedSession with(long endUs, Duration rest) {
        return new InterruptedSession(
                stream,
                session,
                startedAt,
                disconnectedAt,
                reconnectWindow,
                rest,
                endUs,
                timelines);
    }
}
