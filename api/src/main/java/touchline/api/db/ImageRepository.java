package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import touchline.api.domain.Image;
import touchline.api.domain.ImageFile;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;

/**
 * Images for slates and scoreboards, as the server has encoded them. The database holds their
 * bytes, so that a backup has exactly the images that its streams name. Their column is named
 * {@code jpeg} since the time when all were. Calls block; any thread.
 */
public final class ImageRepository {
    /** Images in all; {@link #create} refuses more. */
    public static final int MAX_IMAGES = 200;

    private static final String COLUMNS = "id, width, height, created_at_ms";

    private final Database database;

    public ImageRepository(Database database) {
        this.database = database;
    }

    /**
     * @return false if there are {@link #MAX_IMAGES}
     */
    public boolean create(Image image, ImageFile file) {
        int bytes = file.bytes().length;
        if (bytes > Image.MAX_STORED_BYTES) {
            throw new IllegalArgumentException(
                    bytes + " bytes (expected: at most " + Image.MAX_STORED_BYTES + ")");
        }
        return database.with(
                handle ->
                        handle.createUpdate(
                                                """
                                                INSERT INTO images
                                                    (id, width, height, jpeg, created_at_ms)
                                                SELECT :id, :width, :height, :jpeg, :createdAt
                                                FROM (SELECT COUNT(*) AS n FROM images) AS present
                                                WHERE present.n < :most
                                                """)
                                        .bind("id", image.id())
                                        .bind("width", image.width())
                                        .bind("height", image.height())
                                        .bind("jpeg", file.bytes())
                                        .bind("createdAt", image.createdAt().toEpochMilli())
                                        .bind("most", MAX_IMAGES)
                                        .execute()
                                > 0);
    }

    /** Newest first, stable. */
    public Page<Image> list(PageRequest request) {
        return database.inTransaction(
                handle ->
                        new PagedQuery(COLUMNS, "images", "seq DESC", query -> query)
                                .read(handle, request, (row, _) -> image(row)));
    }

    public Optional<Image> find(String id) {
        return database.with(
                handle ->
                        handle.createQuery("SELECT " + COLUMNS + " FROM images WHERE id = :id")
                                .bind("id", id)
                                .map((row, _) -> image(row))
                                .findOne());
    }

    /** The bytes of an image. */
    public Optional<ImageFile> file(String id) {
        return database.with(
                handle ->
                        handle.createQuery("SELECT jpeg FROM images WHERE id = :id")
                                .bind("id", id)
                                .map((row, _) -> new ImageFile(row.getBytes("jpeg")))
                                .findOne());
    }

    /** The outcome of a deletion. */
    public enum Deletion {
        NOT_FOUND,
        /** A live stream or its scoreboard names the image. */
        IN_USE,
        DELETED
    }

    /** Deletes an image that no live stream and no scoreboard names. */
    public Deletion delete(String id) {
        return database.inTransaction(
                handle -> {
                    Optional<String> locked =
                            handle.createQuery("SELECT id FROM images WHERE id = :id FOR UPDATE")
                                    .bind("id", id)
                                    .mapTo(String.class)
                                    .findOne();
                    if (locked.isEmpty()) {
                        return Deletion.NOT_FOUND;
                    }
                    long uses =
                            handle.createQuery(
                                            """
                                            SELECT (SELECT COUNT(*) FROM live_streams
                                                    WHERE standby_image = :id)
                                                + (SELECT COUNT(*) FROM scoreboard_images
                                                    WHERE image_id = :id)
                                            """)
                                    .bind("id", id)
                                    .mapTo(Long.class)
                                    .one();
                    if (uses > 0) {
                        return Deletion.IN_USE;
                    }
                    handle.createUpdate("DELETE FROM images WHERE id = :id")
                            .bind("id", id)
                            .execute();
                    return Deletion.DELETED;
                });
    }

    private static Image image(ResultSet row) throws SQLException {
        return new Image(
                row.getString("id"),
                row.getInt("width"),
                row.getInt("height"),
                Instant.ofEpochMilli(row.getLong("created_at_ms")));
    }
}
