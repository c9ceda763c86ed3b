package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.AuditSettings;
import touchline.api.domain.BackupPush;
import touchline.api.domain.LatencyMode;
import touchline.api.domain.Mp4Support;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.PushRole;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.StreamSettings;
import touchline.api.domain.WatermarkSettings;
import touchline.media.StreamId;
import touchline.media.hub.FailoverSettings;

/** Stream definitions as rows; read from their three tables by one query each, however many. */
final class StreamRows {
    private record Row(
            StreamId id,
            String accountId,
            StreamSettings settings,
            boolean disabled,
            @Nullable String audit,
            @Nullable String watermark,
            FailoverSettings failover,
            Instant createdAt) {}

    private final StreamKeyRows keyRows;

    StreamRows(StreamKeyRows keyRows) {
        this.keyRows = keyRows;
    }

    static void insert(Handle handle, StreamDefinition stream) {
        bind(
                        handle.createUpdate(
                                """
                                INSERT INTO live_streams (id, account_id, title, user_metadata,
                                    latency_mode, recorded, reconnect_window_s, mp4_support,
                                    renditions, signal_watch, standby_mode, standby_after_ms,
                                    standby_image, disabled, audit, watermark, created_at_ms)
                                VALUES (:id, :account, :title, :userMetadata, :latencyMode,
                                    :recorded, :reconnectWindow, :mp4Support, :renditions,
                                    :signalWatch, :standbyMode, :standbyAfter, :standbyImage,
                                    :disabled, :audit, :watermark, :createdAt)
                                """),
                        stream.settings())
                .bind("id", stream.id().value())
                .bind("account", stream.accountId())
                .bind("disabled", stream.disabled())
                .bind("audit", stream.audit().map(SettingsJson::write).orElse(null))
                .bind("watermark", stream.watermark().map(SettingsJson::write).orElse(null))
                .bind("createdAt", stream.createdAt().toEpochMilli())
                .execute();
    }

    static void update(Handle handle, StreamId stream, StreamSettings settings) {
        bind(
                        handle.createUpdate(
                                """
                                UPDATE live_streams SET title = :title,
                                    user_metadata = :userMetadata, latency_mode = :latencyMode,
                                    recorded = :recorded, reconnect_window_s = :reconnectWindow,
                                    mp4_support = :mp4Support, renditions = :renditions,
                                    signal_watch = :signalWatch,
                                    standby_mode = :standbyMode,
                                    standby_after_ms = :standbyAfter, standby_image = :standbyImage
                                WHERE id = :id
                                """),
                        settings)
                .bind("id", stream.value())
                .execute();
    }

    private static Update bind(Update update, StreamSettings settings) {
        return update.bind("title", settings.title())
                .bind("userMetadata", settings.userMetadata())
                .bind("latencyMode", settings.latencyMode().wireName())
                .bind("recorded", settings.record())
                .bind("reconnectWindow", settings.reconnectWindowSeconds())
                .bind("mp4Support", settings.mp4Support().wireName())
                .bind("renditions", RenditionsJson.write(settings.renditions()))
                .bind("signalWatch", settings.signalWatch())
                .bindMap(StandbyColumns.of(settings.standby()));
    }

    /** Holds the row until the transaction ends; false where it does not exist. */
    static boolean lock(Handle handle, StreamId stream) {
        return handle.createQuery("SELECT id FROM live_streams WHERE id = :id FOR UPDATE")
                .bind("id", stream.value())
                .mapTo(String.class)
                .findOne()
                .isPresent();
    }

    Optional<StreamDefinition> find(Handle handle, StreamId stream) {
        return load(handle, List.of(stream.value())).stream().findFirst();
    }

    /** The streams that exist among these, in the same order. */
    List<StreamDefinition> load(Handle handle, List<String> ids) {
        if (ids.isEmpty()) {
            return List.of();
        }
        Map<String, Row> rows = new HashMap<>();
        handle.createQuery("SELECT * FROM live_streams WHERE id IN (<ids>)")
                .bindList("ids", ids)
                .map((row, _) -> row(row))
                .forEach(row -> rows.put(row.id().value(), row));
        Map<String, EnumMap<PushRole, String>> keys = keyRows.load(handle, ids);
        Map<String, List<PlaybackId>> playbackIds = PlaybackIdRows.load(handle, ids);
        List<StreamDefinition> streams = new ArrayList<>(ids.size());
        for (String id : ids) {
            Row row = rows.get(id);
            EnumMap<PushRole, String> streamKeys = keys.get(id);
            if (row != null && streamKeys != null) {
                streams.add(definition(row, streamKeys, playbackIds.getOrDefault(id, List.of())));
            }
        }
        return streams;
    }

    private static Row row(ResultSet row) throws SQLException {
        return new Row(
                new StreamId(row.getString("id")),
                row.getString("account_id"),
                new StreamSettings(
                        row.getString("title"),
                        row.getString("user_metadata"),
                        LatencyMode.of(row.getString("latency_mode")).orElseThrow(),
                        row.getBoolean("recorded"),
                        row.getInt("reconnect_window_s"),
                        Mp4Support.of(row.getString("mp4_support")).orElseThrow(),
                        RenditionsJson.read(row.getString("renditions")),
                        row.getBoolean("signal_watch"),
                        StandbyColumns.read(row)),
                row.getBoolean("disabled"),
                row.getString("audit"),
                row.getString("watermark"),
                FailoverRows.read(row),
                Instant.ofEpochMilli(row.getLong("created_at_ms")));
    }

    private static StreamDefinition definition(
            Row row, EnumMap<PushRole, String> keys, List<PlaybackId> playbackIds) {
        Optional<AuditSettings> audit =
                Optional.ofNullable(row.audit()).map(SettingsJson::readAudit);
        Optional<WatermarkSettings> watermark =
                Optional.ofNullable(row.watermark())
                        .map(text -> SettingsJson.readWatermark(text, keys.get(PushRole.OVERLAY)));
        String mainKey = keys.get(PushRole.MAIN);
        if (mainKey == null) {
            throw new DatabaseException("stream " + row.id() + ": no push key");
        }
        return new StreamDefinition(
                row.id(),
                row.accountId(),
                mainKey,
                row.settings(),
                row.disabled(),
                playbackIds,
                audit,
                watermark,
                new BackupPush(Optional.ofNullable(keys.get(PushRole.BACKUP)), row.failover()),
                row.createdAt());
    }
}
