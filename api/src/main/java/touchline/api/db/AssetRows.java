package touchline.api.db;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetError;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetLabels;
import touchline.api.domain.AssetOrigin;
import touchline.api.domain.AssetState;
import touchline.api.domain.AssetStatus;
import touchline.api.domain.Mp4Support;
import touchline.api.domain.PlaybackId;
import touchline.media.SessionId;
import touchline.media.StreamId;

/** Assets as rows of their two tables; read by one query each, however many. */
final class AssetRows {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CHUNK = 1_000;

    private AssetRows() {}

    static void insert(Handle handle, Asset asset) {
        Update insert =
                handle.createUpdate(
                        """
                        INSERT INTO assets (id, stream_id, session_id, from_start, source_asset_id,
                            clip_start_us, clip_end_us, title, user_metadata, mp4_support,
                            status, live, duration_us, size_bytes, progress, errors,
                            created_at_ms, finished_at_ms)
                        VALUES (:id, :stream, :session, :fromStart, :source, :startUs, :endUs,
                            :title, :userMetadata, :mp4Support, :status, :live, :durationUs,
                            :sizeBytes, :progress, :errors, :createdAt, :finishedAt)
                        """);
        bind(insert, asset.origin());
        bind(insert, asset.state())
                .bind("id", asset.id().value())
                .bind("stream", asset.stream().value())
                .bind("title", asset.labels().title())
                .bind("userMetadata", asset.labels().userMetadata())
                .bind("mp4Support", asset.labels().mp4Support().wireName())
                .bind("createdAt", asset.createdAt().toEpochMilli())
                .execute();
        PlaybackIdRows.insertOfAsset(handle, asset.id(), asset.playbackIds());
        if (asset.origin() instanceof AssetOrigin.Joined joined) {
            ClipRangeRows.insert(handle, asset.id(), joined);
        }
    }

    private static void bind(Update insert, AssetOrigin origin) {
        switch (origin) {
            case AssetOrigin.Recorded(var session, var fromStart) ->
                    insert.bind("session", session.value())
                            .bind("fromStart", fromStart)
                            .bind("source", (String) null)
                            .bind("startUs", (Long) null)
                            .bind("endUs", (Long) null);
            case AssetOrigin.Cut cut -> bind(insert, cut);
            case AssetOrigin.Joined(var ranges) -> bind(insert, ranges.getFirst());
        }
    }

    private static void bind(Update insert, AssetOrigin.Cut cut) {
        insert.bind("session", (String) null)
                .bind("fromStart", true)
                .bind("source", cut.source().value())
                .bind("startUs", cut.startUs())
                .bind("endUs", cut.endUs());
    }

    /** False where there is no such asset. */
    static boolean update(Handle handle, AssetId asset, AssetState state) {
        Update update =
                handle.createUpdate(
                        """
                        UPDATE assets SET status = :status, live = :live,
                            duration_us = :durationUs, size_bytes = :sizeBytes,
                            progress = :progress, errors = :errors,
                            finished_at_ms = :finishedAt
                        WHERE id = :id
                        """);
        return bind(update, state).bind("id", asset.value()).execute() > 0;
    }

    private static Update bind(Update update, AssetState state) {
        return update.bind("status", state.status().wireName())
                .bind("live", state.live())
                .bind("durationUs", state.durationUs())
                .bind("sizeBytes", state.sizeBytes())
                .bind("progress", boxed(state.progress()))
                .bind("errors", write(state.errors()))
                .bind("finishedAt", state.finishedAt().map(Instant::toEpochMilli).orElse(null));
    }

    private static @Nullable Double boxed(OptionalDouble value) {
        return value.isPresent() ? Double.valueOf(value.getAsDouble()) : null;
    }

    /** The assets that exist among these, in the same order. */
    static List<Asset> load(Handle handle, List<String> ids) {
        if (ids.isEmpty()) {
            return List.of();
        }
        Map<String, List<PlaybackId>> playbackIds = PlaybackIdRows.loadOfAssets(handle, ids);
        Map<String, List<AssetOrigin.Cut>> ranges = ClipRangeRows.load(handle, ids);
        Map<String, Asset> found = new HashMap<>();
        handle.createQuery("SELECT * FROM assets WHERE id IN (<ids>)")
                .bindList("ids", ids)
                .map((row, _) -> asset(row, playbackIds, ranges))
                .forEach(asset -> found.put(asset.id().value(), asset));
        List<Asset> assets = new ArrayList<>(ids.size());
        for (String id : ids) {
            Asset asset = found.get(id);
            if (asset != null) {
                assets.add(asset);
            }
        }
        return assets;
    }

    /** {@link #load} for any number of ids: a statement takes only so many parameters. */
    static List<Asset> loadAll(Handle handle, List<String> ids) {
        List<Asset> assets = new ArrayList<>(ids.size());
        for (int from = 0; from < ids.size(); from += CHUNK) {
            assets.addAll(load(handle, ids.subList(from, Math.min(ids.size(), from + CHUNK))));
        }
        return assets;
    }

    private static Asset asset(
            ResultSet row,
            Map<String, List<PlaybackId>> playbackIds,
            Map<String, List<AssetOrigin.Cut>> ranges)
            throws SQLException {
        String id = row.getString("id");
        return new Asset(
                new AssetId(id),
                new StreamId(row.getString("stream_id")),
                ranges.containsKey(id)
                        ? new AssetOrigin.Joined(ranges.getOrDefault(id, List.of()))
                        : origin(row),
                new AssetLabels(
                        row.getString("title"),
                        row.getString("user_metadata"),
                        Mp4Support.of(row.getString("mp4_support")).orElseThrow()),
                playbackIds.getOrDefault(id, List.of()),
                state(row),
                Instant.ofEpochMilli(row.getLong("created_at_ms")));
    }

    private static AssetOrigin origin(ResultSet row) throws SQLException {
        String source = row.getString("source_asset_id");
        if (source == null) {
            return new AssetOrigin.Recorded(
                    new SessionId(row.getString("session_id")), row.getBoolean("from_start"));
        }
        return new AssetOrigin.Cut(
                new AssetId(source), row.getLong("clip_start_us"), row.getLong("clip_end_us"));
    }

    private static AssetState state(ResultSet row) throws SQLException {
        double progress = row.getDouble("progress");
        OptionalDouble shown = row.wasNull() ? OptionalDouble.empty() : OptionalDouble.of(progress);
        long finishedAtMs = row.getLong("finished_at_ms");
        Optional<Instant> finishedAt =
                row.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(finishedAtMs));
        return new AssetState(
                AssetStatus.of(row.getString("status")).orElseThrow(),
                row.getBoolean("live"),
                row.getLong("duration_us"),
                row.getLong("size_bytes"),
                shown,
                readErrors(row.getString("errors")),
                finishedAt);
    }

    private static String write(List<AssetError> errors) {
        ArrayNode json = JSON.createArrayNode();
        for (AssetError error : errors) {
            json.addObject().put("type", error.type()).put("message", error.message());
        }
        return json.toString();
    }

    private static List<AssetError> readErrors(String text) {
        List<AssetError> errors = new ArrayList<>();
        try {
            JSON.readTree(text)
                    .forEach(
                            error ->
                                    errors.add(
                                            new AssetError(
                                                    error.get("type").asText(),
                                                    error.get("message").asText())));
        } catch (JsonProcessingException e) {
            throw new DatabaseException("stored JSON: " + e.getOriginalMessage(), e);
        }
        return errors;
    }
}
