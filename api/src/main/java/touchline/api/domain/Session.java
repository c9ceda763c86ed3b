package touchline.api.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import touchline.media.SessionId;
import touchline.media.StreamId;

/**
 * A period in which a stream was active. Immutable.
 *
 * @param startedAt cut to milliseconds
 * @param end empty while it runs
 */
public record Session(
        SessionId id,
        StreamId stream,
        Instant startedAt,
        Optional<Ended> end,
        SessionReport report) {
    /** Time (cut to milliseconds) and reason of the end. */
    public record Ended(Instant at, SessionEnd reason) {
        public Ended {
            at = at.truncatedTo(ChronoUnit.MILLIS);
        }
    }

    public Session {
        startedAt = startedAt.truncatedTo(ChronoUnit.MILLIS);
    }

    /** A session that starts now. */
    public static Session started(SessionId id, StreamId stream, Instant at) {
        return new Session(id, stream, at, Optional.empty(), SessionReport.EMPTY);
    }
}
