package touchline.api.db;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import touchline.api.domain.FrameContent;
import touchline.api.domain.FrameName;

/**
 * Which evidence frames of this server are not in S3 yet, and which objects are left of deleted
 * ones. Calls block; any thread.
 */
public final class EvidenceUploads {
    private static final String WAITING =
            " FROM moderation_records WHERE frame_uploaded_at_ms IS NULL"
                    + " AND frame_name IS NOT NULL AND ";

    private final Database database;
    private final AssetHome home;
    private final DeletedObjects deleted;

    /**
     * A frame that is not in S3.
     *
     * @param recordId the record that names it
     */
    public record Pending(long recordId, FrameName frame, FrameContent content) {}

    /**
     * All of them.
     *
     * @param oldest when the oldest of their records was stored; empty if there are none
     */
    public record Backlog(long frames, long bytes, Optional<Instant> oldest) {}

    /** A frame in S3, as its record has it. */
    public record Stored(long recordId, FrameName frame, long sizeBytes) {}

    public EvidenceUploads(Database database) {
        this.database = database;
        this.home = new AssetHome(database.node());
        this.deleted = new DeletedObjects("deleted_frames", "frame_name", home);
    }

    public Backlog backlog() {
        return database.with(
                handle ->
                        home.bound(
                                        handle.createQuery(
                                                "SELECT COUNT(*) AS frames,"
                                                        + " COALESCE(SUM(frame_bytes), 0) AS bytes,"
                                                        + " COALESCE(MIN(created_at_ms), -1)"
                                                        + " AS oldest"
                                                        + WAITING
                                                        + home.here()))
                                .map(
                                        (row, _) -> {
                                            long oldest = row.getLong("oldest");
                                            return new Backlog(
                                                    row.getLong("frames"),
                                                    row.getLong("bytes"),
                                                    oldest < 0
                                                            ? Optional.empty()
                                                            : Optional.of(
                                                                    Instant.ofEpochMilli(oldest)));
                                        })
                                .one());
    }

    /** Those behind a record, the oldest first. */
    public List<Pending> pending(long afterRecord, int limit) {
        return database.with(
                handle ->
                        home.bound(
                                        handle.createQuery(
                                                "SELECT id, frame_name, frame_bytes, frame_checksum"
                                                        + WAITING
                                                        + home.here()
                                                        + " AND id > :after"
                                                        + " ORDER BY id LIMIT :limit"))
                                .bind("after", afterRecord)
                                .bind("limit", limit)
                                .map(
                                        (row, _) ->
                                                new Pending(
                                                        row.getLong("id"),
                                                        new FrameName(row.getString("frame_name")),
                                                        EvidenceRepository.content(row)))
                                .list());
    }

    /**
     * These are in S3. The objects of those that were deleted meanwhile are listed to be deleted.
     */
    public void finish(List<Pending> uploaded, Instant now) {
        if (uploaded.isEmpty()) {
            return;
        }
        database.inTransaction(
                handle -> {
                    List<FrameName> frames = uploaded.stream().map(Pending::frame).toList();
                    int found =
                            handle.createUpdate(
                                            "UPDATE moderation_records"
                                                    + " SET frame_uploaded_at_ms = :now"
                                                    + " WHERE frame_name IN (<frames>)")
                                    .bind("now", now.toEpochMilli())
                                    .bindList("frames", values(frames))
                                    .execute();
                    if (found < uploaded.size()) {
                        List<FrameName> deleted = new ArrayList<>(frames);
                        deleted.removeAll(new EvidenceRepository(database).named(frames));
                        listDeleted(handle, deleted, now);
                    }
                    return true;
                });
    }

    private static List<String> values(List<FrameName> frames) {
        return frames.stream().map(FrameName::value).toList();
    }

    /** Their objects are to be deleted, by this server. */
    void listDeleted(Handle handle, List<FrameName> frames, Instant now) {
        handle.createUpdate("DELETE FROM deleted_frames WHERE frame_name IN (<frames>)")
                .bindList("frames", values(frames))
                .execute();
        PreparedBatch rows =
                handle.prepareBatch(
                        "INSERT INTO deleted_frames (frame_name, home, deleted_at_ms)"
                                + " VALUES (:frame, :home, :now)");
        for (FrameName frame : frames) {
            rows.bind("frame", frame.value())
                    .bind("home", database.node().map(NodeIdentity::id).orElse(null))
                    .bind("now", now.toEpochMilli())
                    .add();
        }
        int[] _ = rows.execute();
    }

    /**
     * Deleted frames that may have objects, oldest first.
     *
     * @param mine deleted before this time by this server, or by a node that does not run
     * @param any deleted before this time by any node
     */
    public Set<FrameName> deletedBefore(Instant mine, Instant any, int limit) {
        return database.with(
                handle ->
                        deleted.before(handle, mine, any, limit).stream()
                                .map(FrameName::new)
                                .collect(Collectors.toCollection(LinkedHashSet::new)));
    }

    /** Their objects are gone. */
    public void forget(Set<FrameName> frames) {
        if (!frames.isEmpty()) {
            database.with(
                    handle ->
                            handle.createUpdate(
                                            "DELETE FROM deleted_frames"
                                                    + " WHERE frame_name IN (<frames>)")
                                    .bindList("frames", values(List.copyOf(frames)))
                                    .execute());
        }
    }

    /** Frames of all nodes that are in S3, behind a record. */
    public List<Stored> stored(long afterRecord, int limit) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        "SELECT id, frame_name, frame_bytes FROM moderation_records"
                                                + " WHERE frame_uploaded_at_ms IS NOT NULL"
                                                + " AND frame_name IS NOT NULL AND id > :after"
                                                + " ORDER BY id LIMIT :limit")
                                .bind("after", afterRecord)
                                .bind("limit", limit)
                                .map(
                                        (row, _) ->
                                                new Stored(
                                                        row.getLong("id"),
                                                        new FrameName(row.getString("frame_name")),
                                                        row.getLong("frame_bytes")))
                                .list());
    }
}
