package touchline.api.db;

import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.statement.Query;
import touchline.api.domain.AssetId;
import touchline.api.domain.FilePlace;

/** Finished assets by age, and the size of all. Calls block; any thread. */
public final class FinishedAssets {
    private final Database database;
    private final AssetHome home;

    /**
     * An asset that is complete.
     *
     * @param finishedAt time of its completion
     */
    public record Finished(AssetId id, Instant finishedAt, long sizeBytes, FilePlace place) {}

    public FinishedAssets(Database database) {
        this.database = database;
        this.home = new AssetHome(database.node());
    }

    /**
     * Those that were finished before a time, the oldest first.
     *
     * @param everywhere of all nodes, else those of this server
     * @param before finished earlier than this
     */
    public List<Finished> oldest(boolean everywhere, Instant before, int limit) {
        return database.with(
                handle ->
                        home.bound(
                                        handle.createQuery(
                                                "SELECT id, finished_at_ms, size_bytes, "
                                                        + home.place("assets")
                                                        + " AS place FROM assets"
                                                        + " WHERE finished_at_ms \\< :before"
                                                        + " AND NOT live AND "
                                                        + chosen(everywhere)
                                                        + " ORDER BY finished_at_ms, seq"
                                                        + " LIMIT :limit"))
                                .bind("before", before.toEpochMilli())
                                .bind("limit", limit)
                                .map(
                                        (row, _) ->
                                                new Finished(
                                                        new AssetId(row.getString("id")),
                                                        Instant.ofEpochMilli(
                                                                row.getLong("finished_at_ms")),
                                                        row.getLong("size_bytes"),
                                                        FilePlace.valueOf(row.getString("place"))))
                                .list());
    }

    /**
     * Size of all assets, running recordings included.
     *
     * @param everywhere of all nodes, else those of this server
     */
    public long totalBytes(boolean everywhere) {
        return database.with(
                handle -> {
                    Query sum =
                            handle.createQuery(
                                    "SELECT COALESCE(SUM(size_bytes), 0) FROM assets WHERE "
                                            + chosen(everywhere));
                    return (everywhere ? sum : home.bound(sum)).mapTo(Long.class).one();
                });
    }

    private String chosen(boolean everywhere) {
        return everywhere ? "1 = 1" : home.here();
    }
}
