package touchline.api.db;

import java.util.Optional;
import touchline.media.SessionId;
import touchline.moderation.AlertType;

/**
 * Selects moderation records of a list. Immutable.
 *
 * @param session of this one only
 * @param alert with an alert of this type only
 */
public record RecordFilter(Optional<SessionId> session, Optional<AlertType> alert) {
    public static final RecordFilter ALL = new RecordFilter(Optional.empty(), Optional.empty());
}
