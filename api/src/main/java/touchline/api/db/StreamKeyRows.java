package touchline.api.db;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import touchline.api.domain.PushRole;
import touchline.media.StreamId;

/** Push keys as rows: found by hash, sealed by the vault. */
final class StreamKeyRows {
    record Owner(StreamId stream, PushRole role) {}

    private record Sealed(StreamId stream, PushRole role, String text) {}

    private final StreamKeyVault vault;

    StreamKeyRows(StreamKeyVault vault) {
        this.vault = vault;
    }

    /** Stores the key of this role in place of the one before. */
    void put(Handle handle, StreamId stream, PushRole role, String streamKey) {
        delete(handle, stream, role);
        handle.createUpdate(
                        "INSERT INTO stream_keys (key_hash, stream_id, push_role, sealed)"
                                + " VALUES (:hash, :stream, :role, :sealed)")
                .bind("hash", vault.lookupHash(streamKey))
                .bind("stream", stream.value())
                .bind("role", role.name())
                .bind("sealed", vault.seal(streamKey, stream, role))
                .execute();
    }

    void delete(Handle handle, StreamId stream, PushRole role) {
        handle.createUpdate(
                        "DELETE FROM stream_keys WHERE stream_id = :stream AND push_role = :role")
                .bind("stream", stream.value())
                .bind("role", role.name())
                .execute();
    }

    Optional<Owner> owner(Handle handle, String streamKey) {
        return handle.createQuery(
                        "SELECT stream_id, push_role FROM stream_keys WHERE key_hash = :hash")
                .bind("hash", vault.lookupHash(streamKey))
                .map(
                        (row, _) ->
                                new Owner(
                                        new StreamId(row.getString("stream_id")),
                                        PushRole.valueOf(row.getString("push_role"))))
                .findOne();
    }

    /** The opened keys of these streams. */
    Map<String, EnumMap<PushRole, String>> load(Handle handle, List<String> streams) {
        Map<String, EnumMap<PushRole, String>> keys = new HashMap<>();
        handle.createQuery("SELECT * FROM stream_keys WHERE stream_id IN (<streams>)")
                .bindList("streams", streams)
                .map(
                        (row, _) ->
                                new Sealed(
                                        new StreamId(row.getString("stream_id")),
                                        PushRole.valueOf(row.getString("push_role")),
                                        row.getString("sealed")))
                .forEach(
                        key ->
                                keys.computeIfAbsent(
                                                key.stream().value(),
                                                _ -> new EnumMap<>(PushRole.class))
                                        .put(
                                                key.role(),
                                                vault.open(key.text(), key.stream(), key.role())));
        return keys;
    }

    /** Seals secrets of an older master key again. Returns their number. */
    int resealStale(Handle handle) {
        List<Sealed> stale =
                handle
                        .createQuery("SELECT stream_id, push_role, sealed FROM stream_keys")
                        .map(
                                (row, _) ->
                                        new Sealed(
                                                new StreamId(row.getString("stream_id")),
                                                PushRole.valueOf(row.getString("push_role")),
                                                row.getString("sealed")))
                        .stream()
                        .filter(key -> vault.isStale(key.text()))
                        .toList();
        for (Sealed key : stale) {
            String streamKey = vault.open(key.text(), key.stream(), key.role());
            handle.createUpdate(
                            "UPDATE stream_keys SET sealed = :sealed"
                                    + " WHERE key_hash = :hash AND sealed = :before")
                    .bind("sealed", vault.seal(streamKey, key.stream(), key.role()))
                    .bind("hash", vault.lookupHash(streamKey))
                    .bind("before", key.text())
                    .execute();
        }
        return stale.size();
    }
}
