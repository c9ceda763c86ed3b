package touchline.api.db;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import touchline.api.domain.AssetId;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.PlaybackPolicy;
import touchline.media.StreamId;

/**
 * Playback ids as rows, in order within their stream or asset. Two tables, but one space of names:
 * an id is in one of them only.
 */
final class PlaybackIdRows {
    /**
     * @param last -1 if there is none
     */
    record Places(int count, int last) {}

    private record Owned(String owner, PlaybackId playbackId) {}

    private PlaybackIdRows() {}

    static void insert(Handle handle, StreamId stream, PlaybackId playbackId, int place) {
        requireFree(handle, "asset_playback_ids", List.of(playbackId));
        handle.createUpdate(
                        "INSERT INTO playback_ids (id, stream_id, policy, place)"
                                + " VALUES (:id, :stream, :policy, :place)")
                .bind("id", playbackId.id())
                .bind("stream", stream.value())
                .bind("policy", playbackId.policy().wireName())
                .bind("place", place)
                .execute();
    }

    static void insertOfAsset(Handle handle, AssetId asset, List<PlaybackId> playbackIds) {
        requireFree(handle, "playback_ids", playbackIds);
        for (int place = 0; place < playbackIds.size(); place++) {
            handle.createUpdate(
                            "INSERT INTO asset_playback_ids (id, asset_id, policy, place)"
                                    + " VALUES (:id, :asset, :policy, :place)")
                    .bind("id", playbackIds.get(place).id())
                    .bind("asset", asset.value())
                    .bind("policy", playbackIds.get(place).policy().wireName())
                    .bind("place", place)
                    .execute();
        }
    }

    /**
     * Does not exclude a race of two transactions, which would need the same 140 random bits twice.
     *
     * @param other the table that must not have these ids; a name from this class
     */
    private static void requireFree(Handle handle, String other, List<PlaybackId> playbackIds) {
        if (playbackIds.isEmpty()) {
            return;
        }
        long taken =
                handle.createQuery("SELECT COUNT(*) FROM " + other + " WHERE id IN (<ids>)")
                        .bindList("ids", playbackIds.stream().map(PlaybackId::id).toList())
                        .mapTo(Long.class)
                        .one();
        if (taken > 0) {
            throw new DatabaseException("playback id: taken (expected: one that is nowhere)");
        }
    }

    static Places places(Handle handle, StreamId stream) {
        return handle.createQuery(
                        "SELECT COUNT(*) AS ids, COALESCE(MAX(place), -1) AS highest"
                                + " FROM playback_ids WHERE stream_id = :stream")
                .bind("stream", stream.value())
                .map((row, _) -> new Places(row.getInt("ids"), row.getInt("highest")))
                .one();
    }

    static boolean delete(Handle handle, StreamId stream, String playbackId) {
        return handle.createUpdate(
                                "DELETE FROM playback_ids WHERE id = :id AND stream_id = :stream")
                        .bind("id", playbackId)
                        .bind("stream", stream.value())
                        .execute()
                > 0;
    }

    static Optional<StreamId> owner(Handle handle, String playbackId) {
        return handle.createQuery("SELECT stream_id FROM playback_ids WHERE id = :id")
                .bind("id", playbackId)
                .mapTo(String.class)
                .findOne()
                .map(StreamId::new);
    }

    /** The playback ids of these streams, each list in order. */
    static Map<String, List<PlaybackId>> load(Handle handle, List<String> streams) {
        return load(handle, "playback_ids", "stream_id", streams);
    }

    /** The playback ids of these assets, each list in order. */
    static Map<String, List<PlaybackId>> loadOfAssets(Handle handle, List<String> assets) {
        return load(handle, "asset_playback_ids", "asset_id", assets);
    }

    /**
     * @param table with its column {@code owner}: names from this class
     */
    private static Map<String, List<PlaybackId>> load(
            Handle handle, String table, String owner, List<String> owners) {
        Map<String, List<PlaybackId>> playbackIds = new HashMap<>();
        handle.createQuery(
                        "SELECT * FROM "
                                + table
                                + " WHERE "
                                + owner
                                + " IN (<owners>) ORDER BY place")
                .bindList("owners", owners)
                .map(
                        (row, _) ->
                                new Owned(
                                        row.getString(owner),
                                        new PlaybackId(
                                                row.getString("id"),
                                                PlaybackPolicy.of(row.getString("policy"))
                                                        .orElseThrow())))
                .forEach(
                        owned ->
                                playbackIds
                                        .computeIfAbsent(owned.owner(), _ -> new ArrayList<>())
                                        .add(owned.playbackId()));
        return playbackIds;
    }
}
