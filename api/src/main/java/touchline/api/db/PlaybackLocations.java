package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import touchline.api.domain.PlaybackPolicy;

/** Which node of a cluster has the media of a playback id. Calls block; any thread. */
public final class PlaybackLocations {
    private final Database database;

    /**
     * Where the media is.
     *
     * @param subject id of the stream or asset
     * @param isStream whether it is a stream
     * @param node the stream's owner, or the node with the asset's files; empty while a stream has
     *     no owner
     * @param isReady whether the asset is playable, so that its node has it or is about to; false
     *     of a stream
     */
    public record Location(
            String subject,
            boolean isStream,
            PlaybackPolicy policy,
            Optional<String> node,
            boolean isReady) {}

    /**
     * @param database of a node
     */
    public PlaybackLocations(Database database) {
        this.database = database;
    }

    /** Empty where no stream or asset has the id, or its stream is disabled. */
    public Optional<Location> find(String playbackId) {
        return ofStream(playbackId).or(() -> ofAsset(playbackId));
    }

    private Optional<Location> ofStream(String playbackId) {
        return find(
                """
                SELECT p.stream_id AS subject, p.policy, o.node_id AS node, FALSE AS is_ready
                FROM playback_ids p
                JOIN live_streams s ON s.id = p.stream_id AND NOT s.disabled
                LEFT JOIN stream_owners o ON o.stream_id = p.stream_id
                WHERE p.id = :id
                """,
                playbackId,
                /* isStream= */ true);
    }

    private Optional<Location> ofAsset(String playbackId) {
        return find(
                """
                SELECT p.asset_id AS subject, p.policy, a.home AS node,
                    a.status = 'ready' AS is_ready
                FROM asset_playback_ids p
                JOIN assets a ON a.id = p.asset_id
                WHERE p.id = :id
                """,
                playbackId,
                /* isStream= */ false);
    }

    private Optional<Location> find(String query, String playbackId, boolean isStream) {
        return database.with(
                handle ->
                        handle.createQuery(query)
                                .bind("id", playbackId)
                                .map((row, _) -> location(row, isStream))
                                .findOne());
    }

    private static Location location(ResultSet row, boolean isStream) throws SQLException {
        return new Location(
                row.getString("subject"),
                isStream,
                PlaybackPolicy.of(row.getString("policy")).orElseThrow(),
                Optional.ofNullable(row.getString("node")),
                row.getBoolean("is_ready"));
    }
}
