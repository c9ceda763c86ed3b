package touchline.api.audit;

import java.time.Instant;
import touchline.media.SessionId;
import touchline.media.StreamId;

/**
 * What records and events tell of the session that a frame is from. Immutable.
 *
 * @param accountId the stream's
 * @param title the stream's, when its moderation began
 * @param startedAt when the session did
 */
record AuditContext(
        StreamId stream, SessionId session, String accountId, String title, Instant startedAt) {}
