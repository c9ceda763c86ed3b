package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import touchline.api.domain.AssetId;
import touchline.api.domain.Marker;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.media.SessionId;

/**
 * Markers of sessions and of clips. A recording has those of its session. Calls block; any thread.
 */
public final class MarkerRepository {
    /** Markers of one session or clip; {@link #create} refuses more. */
    public static final int MAX_MARKERS = 1_000;

    private static final String BY_TIME = "time_us, seq";

    private final Database database;

    public MarkerRepository(Database database) {
        this.database = database;
    }

    /** The session or clip whose markers are meant. */
    public record Owner(String id) {
        public static Owner of(SessionId session) {
            return new Owner(session.value());
        }

        public static Owner of(AssetId clip) {
            return new Owner(clip.value());
        }
    }

    /** False where the owner has {@link #MAX_MARKERS}. */
    public boolean create(Owner owner, Marker marker) {
        return database.with(
                handle ->
                        handle.createUpdate(
                                                """
                                                INSERT INTO markers
                                                    (id, owner_id, label, kind, time_us, created_at_ms)
                                                SELECT :id, :owner, :label, :kind, :timeUs, :createdAt
                                                FROM (SELECT COUNT(*) AS n FROM markers
                                                    WHERE owner_id = :owner) AS present
                                                WHERE present.n < :most
                                                """)
                                        .bind("id", marker.id())
                                        .bind("owner", owner.id())
                                        .bind("label", marker.label())
                                        .bind("kind", marker.kind())
                                        .bind("timeUs", marker.timeUs())
                                        .bind("createdAt", marker.createdAt().toEpochMilli())
                                        .bind("most", MAX_MARKERS)
                                        .execute()
                                > 0);
    }

    /** In the order of their times. */
    public List<Marker> all(Owner owner) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        "SELECT * FROM markers WHERE owner_id = :owner ORDER BY "
                                                + BY_TIME)
                                .bind("owner", owner.id())
                                .map((row, _) -> marker(row))
                                .list());
    }

    /** In the order of their times. */
    public Page<Marker> list(Owner owner, PageRequest request) {
        return database.inTransaction(
                handle ->
                        new PagedQuery(
                                        "*",
                                        "markers WHERE owner_id = :owner",
                                        BY_TIME,
                                        query -> query.bind("owner", owner.id()))
                                .read(handle, request, (row, _) -> marker(row)));
    }

    /** Changes the time of a marker; no effect if the owner has none of this id. */
    public void move(Owner owner, String id, long timeUs) {
        database.with(
                handle ->
                        handle.createUpdate(
                                        "UPDATE markers SET time_us = :timeUs"
                                                + " WHERE id = :id AND owner_id = :owner")
                                .bind("timeUs", timeUs)
                                .bind("id", id)
                                .bind("owner", owner.id())
                                .execute());
    }

    /** False where the owner has no such marker. */
    public boolean delete(Owner owner, String id) {
        return database.with(
                handle ->
                        handle.createUpdate(
                                                "DELETE FROM markers"
                                                        + " WHERE id = :id AND owner_id = :owner")
                                        .bind("id", id)
                                        .bind("owner", owner.id())
                                        .execute()
                                > 0);
    }

    /**
     * Deletes markers whose session, recording and clip are gone.
     *
     * @param atMost rows
     * @return the number of deleted rows
     */
    public int deleteOrphans(int atMost) {
        return database.with(
                handle ->
                        handle.createUpdate(
                                        """
                                        DELETE FROM markers WHERE id IN (
                                            SELECT id FROM markers
                                            WHERE NOT EXISTS (SELECT 1 FROM sessions
                                                    WHERE sessions.id = markers.owner_id)
                                                AND NOT EXISTS (SELECT 1 FROM assets
                                                    WHERE assets.session_id = markers.owner_id)
                                                AND NOT EXISTS (SELECT 1 FROM assets
                                                    WHERE assets.id = markers.owner_id)
                                            ORDER BY seq
                                            LIMIT :most)
                                        """)
                                .bind("most", atMost)
                                .execute());
    }

    private static Marker marker(ResultSet row) throws SQLException {
        return new Marker(
                row.getString("id"),
                row.getString("label"),
                row.getString("kind"),
                row.getLong("time_us"),
                Instant.ofEpochMilli(row.getLong("created_at_ms")));
    }
}
