package touchline.api.db;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetOrigin;

/** Ranges of clips that have several, as rows. Stateless. */
final class ClipRangeRows {
    private record Owned(String clip, AssetOrigin.Cut range) {}

    private ClipRangeRows() {}

    static void insert(Handle handle, AssetId clip, AssetOrigin.Joined joined) {
        PreparedBatch batch =
                handle.prepareBatch(
                        "INSERT INTO clip_ranges (asset_id, place, source_asset_id, start_us, end_us)"
                                + " VALUES (:clip, :place, :source, :startUs, :endUs)");
        for (int place = 0; place < joined.ranges().size(); place++) {
            AssetOrigin.Cut range = joined.ranges().get(place);
            batch.bind("clip", clip.value())
                    .bind("place", place)
                    .bind("source", range.source().value())
                    .bind("startUs", range.startUs())
                    .bind("endUs", range.endUs())
                    .add();
        }
        batch.execute();
    }

    /** Ranges by the clip's id, in their order; other assets have none. */
    static Map<String, List<AssetOrigin.Cut>> load(Handle handle, List<String> ids) {
        Map<String, List<AssetOrigin.Cut>> ranges = new HashMap<>();
        handle.createQuery(
                        "SELECT asset_id, source_asset_id, start_us, end_us FROM clip_ranges"
                                + " WHERE asset_id IN (<ids>) ORDER BY asset_id, place")
                .bindList("ids", ids)
                .map(
                        (row, _) ->
                                new Owned(
                                        row.getString("asset_id"),
                                        new AssetOrigin.Cut(
                                                new AssetId(row.getString("source_asset_id")),
                                                row.getLong("start_us"),
                                                row.getLong("end_us"))))
                .forEach(
                        owned ->
                                ranges.computeIfAbsent(owned.clip(), _ -> new ArrayList<>())
                                        .add(owned.range()));
        return ranges;
    }
}
