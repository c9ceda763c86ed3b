package touchline.api.db;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.PlaybackPolicy;
import touchline.media.StreamId;

/** Playback ids as rows, in order within their stream. */
final class PlaybackIdRows {
    /**
     * @param last -1 where there is none
     */
    record Places(int count, int last) {}

    private record Owned(String stream, PlaybackId playbackId) {}

    private PlaybackIdRows() {}

    static void insert(Handle handle, StreamId stream, PlaybackId playbackId, int place) {
        handle.createUpdate(
                        "INSERT INTO playback_ids (id, stream_id, policy, place)"
                                + " VALUES (:id, :stream, :policy, :place)")
                .bind("id", playbackId.id())
                .bind("stream", stream.value())
                .bind("policy", playbackId.policy().wireName())
                .bind("place", place)
                .execute();
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
        Map<String, List<PlaybackId>> playbackIds = new HashMap<>();
        handle.createQuery(
                        "SELECT * FROM playback_ids WHERE stream_id IN (<streams>) ORDER BY place")
                .bindList("streams", streams)
                .map(
                        (row, _) ->
                                new Owned(
                                        row.getString("stream_id"),
                                        new PlaybackId(
                                                row.getString("id"),
                                                PlaybackPolicy.of(row.getString("policy"))
                                                        .orElseThrow())))
                .forEach(
                        owned ->
                                playbackIds
                                        .computeIfAbsent(owned.stream(), _ -> new ArrayList<>())
                                        .add(owned.playbackId()));
        return playbackIds;
    }
}
