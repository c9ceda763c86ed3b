package touchline.api.db;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetOrigin;
import touchline.media.SessionId;

/** The recordings of sessions, for lists of these. Calls block; any thread. */
public final class SessionRecordings {
    private final Database database;

    public SessionRecordings(Database database) {
        this.database = database;
    }

    /** The first recording of each of these sessions, as stored; without those that have none. */
    public Map<SessionId, Asset> of(Collection<SessionId> sessions) {
        if (sessions.isEmpty()) {
            return Map.of();
        }
        List<Asset> found =
                database.inTransaction(
                        handle ->
                                AssetRows.load(
                                        handle,
                                        handle.createQuery(
                                                        "SELECT id FROM assets WHERE session_id IN"
                                                                + " (<sessions>) ORDER BY seq")
                                                .bindList(
                                                        "sessions",
                                                        sessions.stream()
                                                                .map(SessionId::value)
                                                                .toList())
                                                .mapTo(String.class)
                                                .list()));
        Map<SessionId, Asset> recordings = new HashMap<>();
        for (Asset asset : found) {
            if (asset.origin() instanceof AssetOrigin.Recorded(SessionId session, _)) {
                recordings.putIfAbsent(session, asset);
            }
        }
        return recordings;
    }
}
