package touchline.api.db;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import touchline.api.domain.ImageFile;
import touchline.api.sport.Scoreboard;
import touchline.media.StreamId;

/** Contents of bundled scoreboards, one row for each stream that has set it. Any thread. */
public final class ScoreboardRepository {
    private final Database database;

    public ScoreboardRepository(Database database) {
        this.database = database;
    }

    public Optional<Scoreboard> find(StreamId stream) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        "SELECT state FROM scoreboards WHERE stream_id = :stream")
                                .bind("stream", stream.value())
                                .mapTo(String.class)
                                .findOne()
                                .map(ScoreboardJson::read));
    }

    /** Requires that the stream exists and the caller has locked its row. */
    public void put(StreamId stream, Scoreboard scoreboard) {
        database.inTransaction(
                handle -> {
                    putState(handle, stream, ScoreboardJson.write(scoreboard).toString());
                    putImages(handle, stream, images(scoreboard));
                    return null;
                });
    }

    private static void putState(Handle handle, StreamId stream, String state) {
        int changed =
                handle.createUpdate(
                                "UPDATE scoreboards SET state = :state WHERE stream_id = :stream")
                        .bind("state", state)
                        .bind("stream", stream.value())
                        .execute();
        if (changed == 0) {
            handle.createUpdate(
                            "INSERT INTO scoreboards (stream_id, state) VALUES (:stream, :state)")
                    .bind("state", state)
                    .bind("stream", stream.value())
                    .execute();
        }
    }

    /** An image that was deleted meanwhile is left out; the page shows nothing there. */
    private static void putImages(Handle handle, StreamId stream, List<String> images) {
        handle.createUpdate("DELETE FROM scoreboard_images WHERE stream_id = :stream")
                .bind("stream", stream.value())
                .execute();
        for (String image : images) {
            handle.createUpdate(
                            """
                            INSERT INTO scoreboard_images (stream_id, image_id)
                            SELECT CAST(:stream AS VARCHAR(64)), id FROM images WHERE id = :image
                            """)
                    .bind("stream", stream.value())
                    .bind("image", image)
                    .execute();
        }
    }

    private static List<String> images(Scoreboard scoreboard) {
        return Stream.of(
                        scoreboard.look().home().logoImageId(),
                        scoreboard.look().away().logoImageId(),
                        scoreboard.look().sponsorImageId())
                .flatMap(Optional::stream)
                .distinct()
                .toList();
    }

    /** An image that the stream's scoreboard shows. */
    public Optional<ImageFile> image(StreamId stream, String image) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        """
                                        SELECT jpeg FROM images
                                        JOIN scoreboard_images ON image_id = id
                                        WHERE stream_id = :stream AND id = :image
                                        """)
                                .bind("stream", stream.value())
                                .bind("image", image)
                                .map((row, _) -> new ImageFile(row.getBytes("jpeg")))
                                .findOne());
    }
}
