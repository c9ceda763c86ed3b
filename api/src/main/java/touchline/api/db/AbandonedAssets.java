package touchline.api.db;

import java.time.Duration;
import java.util.List;
import touchline.api.domain.AssetId;
import touchline.media.SessionId;

/**
 * Assets with files in S3 whose node is gone before it has finished them. Another node takes such
 * an asset with one conditional update, and has it from then on as if it had recorded it. Without a
 * cluster there are none. Calls block; any thread.
 *
 * <p>A node is gone if it has stopped or was declared dead, and its lease has been over for some
 * time, in which the heartbeats of this node were unbroken: so that time says nothing where the
 * database was away. A recording whose session is open belongs to its node until another one runs
 * that session: after a planned stop it goes on with the same asset. A node that runs it may go on
 * with the recording too ({@link #takeOver}), so no third node takes one that the session's record
 * names.
 */
public final class AbandonedAssets {
    private static final String GONE =
            " EXISTS (SELECT 1 FROM nodes n JOIN nodes me ON me.id = :me"
                    + " WHERE n.id = a.home AND n.state = 'gone'"
                    + " AND n.lease_until_ms \\< "
                    + LeaseConnection.NOW
                    + " - :after AND me.unbroken_since_ms \\< "
                    + LeaseConnection.NOW
                    + " - :after)";

    private static final String OPEN =
            " EXISTS (SELECT 1 FROM sessions s WHERE s.id = a.session_id"
                    + " AND s.ended_at_ms IS NULL AND NOT EXISTS"
                    + " (SELECT 1 FROM stream_owners o WHERE o.stream_id = s.stream_id"
                    + " AND o.session_id = s.id AND o.node_id IS NOT NULL"
                    + " AND o.node_id \\<> a.home"
                    + " AND COALESCE(o.resume, '') NOT LIKE '%\"' || a.id || '\"%'))";

    private final Database database;

    /**
     * @param home the node that is gone
     * @param live it was being recorded
     * @param durationUs as the node has stored it
     * @param goneFor since the lease of the node was over
     */
    public record Abandoned(
            AssetId id, String home, boolean live, long durationUs, Duration goneFor) {}

    public AbandonedAssets(Database database) {
        this.database = database;
    }

    /**
     * Recordings that are not finished, or not completely in S3, the oldest first.
     *
     * @param after how long their nodes must be gone
     */
    public List<Abandoned> list(Duration after, int limit) {
        if (database.node().isEmpty()) {
            return List.of();
        }
        return database.with(
                handle ->
                        handle.createQuery(
                                        "SELECT a.id, a.home, a.live, a.duration_us, "
                                                + LeaseConnection.NOW
                                                + " - (SELECT lease_until_ms FROM nodes"
                                                + " WHERE nodes.id = a.home) AS gone_ms"
                                                + " FROM assets a"
                                                + " WHERE a.home \\<> :me"
                                                + " AND a.session_id IS NOT NULL"
                                                + " AND a.uploaded_at_ms IS NULL"
                                                + " AND a.upload_begun_at_ms IS NOT NULL"
                                                + " AND (a.live OR a.status = 'ready') AND"
                                                + GONE
                                                + " AND NOT"
                                                + OPEN
                                                + " ORDER BY a.seq LIMIT :limit")
                                .bind("me", node())
                                .bind("after", after.toMillis())
                                .bind("limit", limit)
                                .map(
                                        (row, _) ->
                                                new Abandoned(
                                                        new AssetId(row.getString("id")),
                                                        row.getString("home"),
                                                        row.getBoolean("live"),
                                                        row.getLong("duration_us"),
                                                        Duration.ofMillis(row.getLong("gone_ms"))))
                                .list());
    }

    /**
     * Makes an asset this node's; false where its node is back, or another node was first. A node
     * that starts renews its row before it reads its assets: it waits for this transaction, or this
     * one sees that it is back.
     */
    public boolean take(Abandoned asset, Duration after) {
        return database.inTransaction(
                handle -> {
                    handle.createQuery("SELECT id FROM nodes WHERE id = :home FOR UPDATE")
                            .bind("home", asset.home())
                            .mapTo(String.class)
                            .findOne();
                    int taken =
                            handle.createUpdate(
                                            "UPDATE assets a SET home = :me WHERE a.id = :id"
                                                    + " AND a.home = :home"
                                                    + " AND a.uploaded_at_ms IS NULL AND"
                                                    + GONE
                                                    + " AND NOT"
                                                    + OPEN)
                                    .bind("me", node())
                                    .bind("id", asset.id().value())
                                    .bind("home", asset.home())
                                    .bind("after", after.toMillis())
                                    .execute();
                    if (taken > 0) {
                        database.changes().record(ClusterChanges.Kind.ASSET, asset.id().value());
                    }
                    return taken > 0;
                });
    }

    /**
     * Makes a recording this node's, whose session this node has taken over. From then on its
     * former node changes neither row nor index, also if it was only frozen. May be repeated.
     *
     * @param epoch under which this node owns the stream
     * @return false if it has ended, was deleted, or is of another session
     * @throws FencedException if another node has the stream by now
     */
    public boolean takeOver(AssetId asset, SessionId session, Epoch epoch) {
        return database.inTransaction(
                handle -> {
                    epoch.require(handle);
                    int taken =
                            handle.createUpdate(
                                            "UPDATE assets SET home = :me WHERE id = :id AND live"
                                                    + " AND session_id = :session"
                                                    + " AND uploaded_at_ms IS NULL")
                                    .bind("me", node())
                                    .bind("id", asset.value())
                                    .bind("session", session.value())
                                    .execute();
                    if (taken > 0) {
                        database.changes().record(ClusterChanges.Kind.ASSET, asset.value());
                    }
                    return taken > 0;
                });
    }

    /**
     * Whether a recording of this node has not ended, and its session goes on with it at no other
     * node: that has ended, or has another recording.
     */
    public boolean isLeft(AssetId asset) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        "SELECT 1 FROM assets a WHERE a.id = :id AND a.home = :me"
                                                + " AND a.live AND NOT"
                                                + OPEN)
                                .bind("id", asset.value())
                                .bind("me", node())
                                .mapTo(Integer.class)
                                .findOne()
                                .isPresent());
    }

    /** Whether a recording is this node's. */
    public boolean isHere(AssetId asset) {
        return database.with(
                handle ->
                        handle.createQuery("SELECT 1 FROM assets WHERE id = :id AND home = :me")
                                .bind("id", asset.value())
                                .bind("me", node())
                                .mapTo(Integer.class)
                                .findOne()
                                .isPresent());
    }

    private String node() {
        return database.node().orElseThrow().id();
    }
}
