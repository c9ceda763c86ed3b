package touchline.api.audit;

import java.time.Instant;
import touchline.media.SessionId;
import touchline.media.StreamId;

/**
 * Session data of a frame, for records and events. Immutable.
 *
 * @param accountId the stream's
 * @param title the stream's at the start of its moderation
 * @param startedAt start of the session
 */
record AuditContext(
        StreamId stream, SessionId session, String accountId, String title, Instant startedAt) {}
