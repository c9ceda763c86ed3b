package touchline.api.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.moderation.AlertType;

/**
 * A period in which a session is moderated: a task of the interface. Immutable.
 *
 * @param startedAt cut to milliseconds
 * @param end empty while it runs
 * @param unserved requested types without a model
 * @param blind whether its frames could not be decoded for an interval, up to now or to its end
 */
public record AuditRun(
        long taskId,
        StreamId stream,
        SessionId session,
        Instant startedAt,
        Optional<Ended> end,
        Set<AlertType> unserved,
        boolean blind) {
    /** Why a blind session is not moderated. */
    public static final String BLIND_REASON =
            "no frame could be decoded for longer than an interval: check the encoder";

    /** Time (cut to milliseconds) and reason of the end. */
    public record Ended(Instant at, Reason reason) {
        public Ended {
            at = at.truncatedTo(ChronoUnit.MILLIS);
        }
    }

    /** Reason of a run's end. */
    public enum Reason {
        /** By the call stop-audit-task. */
        STOPPED,
        /** The stream's audit settings were deleted. */
        SETTINGS_DELETED,
        SESSION_ENDED,
        /** The server crashed or was killed. The next start detects it. */
        INTERRUPTED;

        public String wireName() {
            return WireNames.lowerCase(this);
        }

        public static Optional<Reason> of(String wireName) {
            return WireNames.find(Reason.class, wireName);
        }
    }

    public AuditRun {
        startedAt = startedAt.truncatedTo(ChronoUnit.MILLIS);
        unserved = Set.copyOf(unserved);
    }
}
