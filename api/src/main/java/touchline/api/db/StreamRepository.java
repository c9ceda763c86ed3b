package touchline.api.db;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.AuditSettings;
import touchline.api.domain.BackupPush;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.PushRole;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.StreamSettings;
import touchline.api.domain.WatermarkSettings;
import touchline.media.StreamId;

/** Stream definitions with their push keys and playback ids. Calls block; any thread. */
public final class StreamRepository {
    /**
     * The owner of a push key.
     *
     * @param role the programme, or its scoreboard
     */
    public record KeyOwner(StreamDefinition stream, PushRole role) {}

    /** The result of adding a playback id. */
    public enum Addition {
        STREAM_NOT_FOUND,
        /** The stream has {@link StreamDefinition#MAX_PLAYBACK_IDS} already. */
        FULL,
        ADDED
    }

    private final Database database;
    private final StreamRows rows;
    private final StreamKeyRows keys;
    private final AdmittedKeys admitted;

    public StreamRepository(Database database, StreamKeyVault vault) {
        this.database = database;
        this.admitted = new AdmittedKeys(vault::lookupHash);
        database.changes().listen(this::changed);
        this.keys = new StreamKeyRows(vault);
        this.rows = new StreamRows(keys);
    }

    private void changed(ClusterChanges.Kind kind, String subject) {
        switch (kind) {
            case STREAM, STREAM_KEY, BACKUP_KEY, COMPLETED ->
                    admitted.changed(new StreamId(subject));
            case SIGNING_KEY, ENDPOINT, ASSET, OWNER -> {}
        }
    }

    /** Keys for the time in which the database does not answer. */
    public AdmittedKeys admitted() {
        return admitted;
    }

    /** Stores a new stream with its keys and playback ids, all or nothing. */
    public void create(StreamDefinition stream) {
        database.inTransaction(
                handle -> {
                    StreamRows.insert(handle, stream);
                    keys.put(handle, stream.id(), PushRole.MAIN, stream.streamKey());
                    putOverlayKey(handle, stream.id(), stream.watermark().orElse(null));
                    putBackup(handle, stream.id(), stream.backup());
                    for (int place = 0; place < stream.playbackIds().size(); place++) {
                        PlaybackIdRows.insert(
                                handle, stream.id(), stream.playbackIds().get(place), place);
                    }
                    return true;
                });
    }

    public boolean exists(StreamId stream) {
        return database.with(
                handle ->
                        handle.createQuery("SELECT id FROM live_streams WHERE id = :id")
                                .bind("id", stream.value())
                                .mapTo(String.class)
                                .findOne()
                                .isPresent());
    }

    public Optional<StreamDefinition> find(StreamId stream) {
        return database.with(handle -> rows.find(handle, stream));
    }

    /**
     * Finds a stream and keeps others from changing it until the surrounding {@link
     * Database#transaction} ends: for changes that depend on the stored state.
     *
     * @throws IllegalStateException outside of a transaction
     */
    public Optional<StreamDefinition> findLocked(StreamId stream) {
        if (!database.insideTransaction()) {
            throw new IllegalStateException("findLocked: no transaction around it");
        }
        return database.with(handle -> locked(handle, stream));
    }

    /** The stream that is pushed with this key. */
    public Optional<KeyOwner> findByStreamKey(String streamKey) {
        return database.with(
                handle ->
                        keys.owner(handle, streamKey)
                                .flatMap(
                                        owner ->
                                                rows.find(handle, owner.stream())
                                                        .map(
                                                                it ->
                                                                        new KeyOwner(
                                                                                it,
                                                                                owner.role()))));
    }

    public Optional<StreamDefinition> findByPlaybackId(String playbackId) {
        return database.with(
                handle ->
                        PlaybackIdRows.owner(handle, playbackId)
                                .flatMap(stream -> rows.find(handle, stream)));
    }

    /** All playback ids of a stream, in order; empty where the stream does not exist. */
    public List<PlaybackId> playbackIds(StreamId stream) {
        List<String> ids = List.of(stream.value());
        return database.with(
                handle -> PlaybackIdRows.load(handle, ids).getOrDefault(stream.value(), List.of()));
    }

    /** Newest first, stable. */
    public Page<StreamDefinition> list(StreamFilter filter, PageRequest request) {
        return list(StreamListing.of(filter), request);
    }

    /** In the order of the listing, stable. */
    public Page<StreamDefinition> list(StreamListing listing, PageRequest request) {
        PagedQuery query =
                new PagedQuery(
                        "id",
                        "live_streams" + where(listing),
                        order(listing),
                        each -> bind(each, listing));
        return database.inTransaction(
                handle -> {
                    Page<String> ids = query.read(handle, request, (row, _) -> row.getString("id"));
                    return Page.of(rows.load(handle, ids.items()), request, ids.total());
                });
    }

    private static String where(StreamListing listing) {
        String status =
                switch (listing.filter()) {
                    case StreamFilter.All _ -> "1 = 1";
                    case StreamFilter.Disabled _ -> "disabled";
                    case StreamFilter.Active(var active) when active.isEmpty() -> "1 = 0";
                    case StreamFilter.Active _ -> "NOT disabled AND id IN (<active>)";
                    case StreamFilter.Idle(var active) when active.isEmpty() -> "NOT disabled";
                    case StreamFilter.Idle _ -> "NOT disabled AND id NOT IN (<active>)";
                };
        String text = TextSearch.in("title", "user_metadata", "id");
        return " WHERE " + status + (listing.search().isEmpty() ? "" : " AND " + text);
    }

    private static String order(StreamListing listing) {
        return listing.first().isEmpty()
                ? "seq DESC"
                : "CASE WHEN id IN (<first>) THEN 1 ELSE 0 END DESC, seq DESC";
    }

    private static Query bind(Query query, StreamListing listing) {
        // The count has no order.
        query.getConfig(SqlStatements.class).setUnusedBindingAllowed(true);
        switch (listing.filter()) {
            case StreamFilter.All _, StreamFilter.Disabled _ -> {}
            case StreamFilter.Active(var ids) -> bind(query, "active", ids);
            case StreamFilter.Idle(var ids) -> bind(query, "active", ids);
        }
        bind(query, "first", listing.first());
        listing.search()
                .ifPresent(
                        text -> query.bind(TextSearch.PARAMETER, new TextSearch(text).pattern()));
        return query;
    }

    private static void bind(Query query, String name, Set<StreamId> streams) {
        if (!streams.isEmpty()) {
            query.bindList(name, streams.stream().map(StreamId::value).toList());
        }
    }

    /** Changes the settings; empty where the stream does not exist. */
    public Optional<StreamDefinition> patch(StreamId stream, UnaryOperator<StreamSettings> change) {
        return changeLocked(
                stream,
                (handle, before) ->
                        StreamRows.update(handle, stream, change.apply(before.settings())));
    }

    /** Disables or enables. */
    public Change setDisabled(StreamId stream, boolean disabled) {
        return database.inTransaction(
                handle -> {
                    Optional<StreamDefinition> before = locked(handle, stream);
                    if (before.isEmpty()) {
                        return Change.NOT_FOUND;
                    }
                    if (before.get().disabled() == disabled) {
                        return Change.UNCHANGED;
                    }
                    handle.createUpdate("UPDATE live_streams SET disabled = :to WHERE id = :id")
                            .bind("id", stream.value())
                            .bind("to", disabled)
                            .execute();
                    database.afterCommit(() -> admitted.changed(stream));
                    return Change.CHANGED;
                });
    }

    /** Deletes a stream with its keys, playback ids and sessions; false where it did not exist. */
    public boolean delete(StreamId stream) {
        return database.with(
                handle ->
                        handle.createUpdate("DELETE FROM live_streams WHERE id = :id")
                                        .bind("id", stream.value())
                                        .execute()
                                > 0);
    }

    /**
     * Replaces a push key. The old one is invalid from then on.
     *
     * @param role of the programme, or of its backup
     */
    public Optional<StreamDefinition> resetStreamKey(
            StreamId stream, PushRole role, String newKey) {
        return changeLocked(stream, (handle, _) -> keys.put(handle, stream, role, newKey));
    }

    /** Changes whether a second encoder may push; empty where the stream does not exist. */
    public Optional<StreamDefinition> changeBackup(
            StreamId stream, UnaryOperator<BackupPush> change) {
        return changeLocked(
                stream,
                (handle, before) -> putBackup(handle, stream, change.apply(before.backup())));
    }

    private void putBackup(Handle handle, StreamId stream, BackupPush backup) {
        FailoverRows.put(handle, stream, backup.failover());
        backup.streamKey()
                .ifPresentOrElse(
                        key -> keys.put(handle, stream, PushRole.BACKUP, key),
                        () -> keys.delete(handle, stream, PushRole.BACKUP));
    }

    /** Adds a playback id behind the others. */
    public Addition addPlaybackId(StreamId stream, PlaybackId playbackId) {
        return database.inTransaction(
                handle -> {
                    if (!StreamRows.lock(handle, stream)) {
                        return Addition.STREAM_NOT_FOUND;
                    }
                    PlaybackIdRows.Places places = PlaybackIdRows.places(handle, stream);
                    if (places.count() >= StreamDefinition.MAX_PLAYBACK_IDS) {
                        return Addition.FULL;
                    }
                    PlaybackIdRows.insert(handle, stream, playbackId, places.last() + 1);
                    return Addition.ADDED;
                });
    }

    /** False where this stream has no such playback id. */
    public boolean deletePlaybackId(StreamId stream, String playbackId) {
        return database.with(handle -> PlaybackIdRows.delete(handle, stream, playbackId));
    }

    /** Empty where the stream does not exist. */
    public Optional<StreamDefinition> putAudit(StreamId stream, AuditSettings audit) {
        return changeLocked(
                stream,
                (handle, _) -> setColumn(handle, stream, "audit", SettingsJson.write(audit)));
    }

    /** Unchanged where the stream has no audit settings. */
    public Change deleteAudit(StreamId stream) {
        return deleteColumn(stream, "audit");
    }

    /** Stores the scoreboard and its push key; empty where the stream does not exist. */
    public Optional<StreamDefinition> putWatermark(StreamId stream, WatermarkSettings watermark) {
        return changeLocked(
                stream,
                (handle, _) -> {
                    setColumn(handle, stream, "watermark", SettingsJson.write(watermark));
                    putOverlayKey(handle, stream, watermark);
                });
    }

    /** Unchanged where the stream has no scoreboard. Its push key goes with it. */
    public Change deleteWatermark(StreamId stream) {
        return database.inTransaction(
                handle -> {
                    Change change = deleteColumn(stream, "watermark");
                    keys.delete(handle, stream, PushRole.OVERLAY);
                    return change;
                });
    }

    /**
     * Seals push keys of an older master key again. Call it at the start. Returns their number.
     *
     * @throws RuntimeException when the master key of one is missing
     */
    public int resealStaleKeys() {
        return database.inTransaction(keys::resealStale);
    }

    private void putOverlayKey(
            Handle handle, StreamId stream, @Nullable WatermarkSettings watermark) {
        if (watermark instanceof WatermarkSettings.Stream(var streamKey, _, _)) {
            keys.put(handle, stream, PushRole.OVERLAY, streamKey);
        } else {
            keys.delete(handle, stream, PushRole.OVERLAY);
        }
    }

    @FunctionalInterface
    private interface LockedChange {
        void apply(Handle handle, StreamDefinition before);
    }

    private Optional<StreamDefinition> changeLocked(StreamId stream, LockedChange change) {
        return database.inTransaction(
                handle -> {
                    Optional<StreamDefinition> before = locked(handle, stream);
                    if (before.isEmpty()) {
                        return Optional.empty();
                    }
                    change.apply(handle, before.get());
                    return rows.find(handle, stream);
                });
    }

    private Optional<StreamDefinition> locked(Handle handle, StreamId stream) {
        return StreamRows.lock(handle, stream) ? rows.find(handle, stream) : Optional.empty();
    }

    /**
     * @param column a name from this class, never from outside
     */
    private static void setColumn(
            Handle handle, StreamId stream, String column, @Nullable String json) {
        handle.createUpdate("UPDATE live_streams SET " + column + " = :json WHERE id = :id")
                .bind("id", stream.value())
                .bind("json", json)
                .execute();
    }

    private Change deleteColumn(StreamId stream, String column) {
        return database.inTransaction(
                handle -> {
                    if (!StreamRows.lock(handle, stream)) {
                        return Change.NOT_FOUND;
                    }
                    int changed =
                            handle.createUpdate(
                                            "UPDATE live_streams SET "
                                                    + column
                                                    + " = NULL WHERE id = :id AND "
                                                    + column
                                                    + " IS NOT NULL")
                                    .bind("id", stream.value())
                                    .execute();
                    return changed > 0 ? Change.CHANGED : Change.UNCHANGED;
                });
    }
}
