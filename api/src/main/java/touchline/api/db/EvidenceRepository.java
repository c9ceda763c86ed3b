package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import touchline.api.domain.Evidence;
import touchline.api.domain.FilePlace;
import touchline.api.domain.FrameContent;
import touchline.api.domain.FrameName;

/**
 * Evidence frames: which records name them, which node has their files, and until when they are
 * kept. Calls block; any thread.
 */
public final class EvidenceRepository {
    private static final String TABLE = "moderation_records";

    private final Database database;
    private final AssetHome home;

    /**
     * Where a frame is.
     *
     * @param node the one whose disk got the file; empty without a cluster
     * @param stored whether it is in S3
     */
    public record Location(FrameContent content, Optional<String> node, boolean stored) {}

    public EvidenceRepository(Database database) {
        this.database = database;
        this.home = new AssetHome(database.node());
    }

    /** Frames of all nodes behind a record, the oldest first. */
    public List<Evidence> oldest(long afterRecord, int limit) {
        return database.with(
                handle ->
                        bound(
                                        handle.createQuery(
                                                "SELECT id, frame_name, frame_bytes,"
                                                        + " captured_at_ms, "
                                                        + home.place(TABLE)
                                                        + " AS place FROM moderation_records"
                                                        + " WHERE frame_name IS NOT NULL"
                                                        + " AND id > :after"
                                                        + " ORDER BY id LIMIT :limit"))
                                .bind("after", afterRecord)
                                .bind("limit", limit)
                                .map((row, _) -> evidence(row))
                                .list());
    }

    private Query bound(Query query) {
        return home.bound(query);
    }

    private static Evidence evidence(ResultSet row) throws SQLException {
        return new Evidence(
                row.getLong("id"),
                new FrameName(row.getString("frame_name")),
                row.getLong("frame_bytes"),
                Instant.ofEpochMilli(row.getLong("captured_at_ms")),
                FilePlace.valueOf(row.getString("place")));
    }

    /**
     * Bytes of all frames behind a record.
     *
     * @param everywhere of all nodes, else those on this server
     */
    public long bytes(boolean everywhere, long afterRecord) {
        String here = everywhere ? "" : " AND " + home.here();
        return database.with(
                handle -> {
                    Query sum =
                            handle.createQuery(
                                    "SELECT COALESCE(SUM(frame_bytes), 0) FROM moderation_records"
                                            + " WHERE frame_name IS NOT NULL AND id > :after"
                                            + here);
                    return (everywhere ? sum : bound(sum))
                            .bind("after", afterRecord)
                            .mapTo(Long.class)
                            .one();
                });
    }

    /** The given frames that have a record. */
    public Set<FrameName> named(List<FrameName> frames) {
        return database.with(handle -> some(handle, "moderation_records", frames));
    }

    /** Those that may have objects: with a record, or deleted a while ago. */
    public Set<FrameName> known(List<FrameName> frames) {
        return database.with(
                handle -> {
                    Set<FrameName> known =
                            new HashSet<>(some(handle, "moderation_records", frames));
                    known.addAll(some(handle, "deleted_frames", frames));
                    return known;
                });
    }

    private static Set<FrameName> some(Handle handle, String table, List<FrameName> frames) {
        if (frames.isEmpty()) {
            return Set.of();
        }
        return handle
                .createQuery("SELECT frame_name FROM " + table + " WHERE frame_name IN (<frames>)")
                .bindList("frames", values(frames))
                .mapTo(String.class)
                .stream()
                .map(FrameName::new)
                .collect(Collectors.toSet());
    }

    private static List<String> values(List<FrameName> frames) {
        return frames.stream().map(FrameName::value).toList();
    }

    /** Where a frame is; empty if no record names it, so it does not exist (any more). */
    public Optional<Location> find(FrameName frame) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        "SELECT frame_bytes, frame_checksum, home,"
                                                + " frame_uploaded_at_ms FROM moderation_records"
                                                + " WHERE frame_name = :frame")
                                .bind("frame", frame.value())
                                .map((row, _) -> location(row))
                                .findFirst());
    }

    private static Location location(ResultSet row) throws SQLException {
        boolean stored = row.getObject("frame_uploaded_at_ms") != null;
        return new Location(content(row), Optional.ofNullable(row.getString("home")), stored);
    }

    static FrameContent content(ResultSet row) throws SQLException {
        long checksum = row.getLong("frame_checksum");
        return new FrameContent(
                row.getLong("frame_bytes"),
                row.wasNull() ? OptionalLong.empty() : OptionalLong.of(checksum));
    }

    /** Makes frames from before the cluster this node's, which has their files. */
    public void adopt(Set<FrameName> frames) {
        if (home.isNode() && !frames.isEmpty()) {
            database.with(
                    handle ->
                            handle.createUpdate(
                                            "UPDATE moderation_records SET home = :home"
                                                    + " WHERE home IS NULL"
                                                    + " AND frame_name IN (<frames>)")
                                    .bind("home", self())
                                    .bindList("frames", values(List.copyOf(frames)))
                                    .execute());
        }
    }

    private String self() {
        return database.node().orElseThrow().id();
    }

    /**
     * Takes a frame from its record, once in the cluster, and lists its object to be deleted.
     *
     * @param inS3 whether frames have objects
     * @return false if it was deleted already, or its node runs again, which deletes it itself
     */
    public boolean delete(Evidence evidence, boolean inS3, Instant now) {
        String gone =
                evidence.place() == FilePlace.GONE ? " AND NOT " + AssetHome.running(TABLE) : "";
        return database.inTransaction(
                handle -> {
                    boolean mine =
                            handle.createUpdate(
                                                    "UPDATE moderation_records SET"
                                                            + " frame_name = NULL, frame_bytes = 0,"
                                                            + " frame_checksum = NULL,"
                                                            + " frame_uploaded_at_ms ="
                                                            + " COALESCE(frame_uploaded_at_ms, 0)"
                                                            + " WHERE id = :id"
                                                            + " AND frame_name = :frame"
                                                            + gone)
                                            .bind("id", evidence.recordId())
                                            .bind("frame", evidence.frame().value())
                                            .execute()
                                    > 0;
                    if (mine && inS3) {
                        new EvidenceUploads(database)
                                .listDeleted(handle, List.of(evidence.frame()), now);
                    }
                    return mine;
                });
    }
}
