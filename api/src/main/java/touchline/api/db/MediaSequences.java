package touchline.api.db;

import java.util.Optional;
import touchline.media.StreamId;

/**
 * Reserves media sequence numbers in blocks. The numbers of a stream never go back, not even after
 * a crash: its floor is stored before the first number of a block is used. Calls block; any thread.
 */
public final class MediaSequences {
    /**
     * Numbers that belong to one session.
     *
     * @param start the first
     * @param end one behind the last
     */
    public record Block(long start, long end) {}

    private static final int MAX_BLOCK = 1_000_000;

    private final Database database;

    public MediaSequences(Database database) {
        this.database = database;
    }

    /**
     * Reserves the next numbers of a stream.
     *
     * @param count how many, 1 to 1 000 000
     * @return empty where the stream does not exist
     */
    public Optional<Block> reserve(StreamId stream, int count) {
        if (count < 1 || count > MAX_BLOCK) {
            throw new IllegalArgumentException(
                    "media sequence numbers: " + count + " (expected: 1 to " + MAX_BLOCK + ")");
        }
        return database.inTransaction(
                handle -> {
                    int changed =
                            handle.createUpdate(
                                            "UPDATE live_streams"
                                                    + " SET next_media_sequence ="
                                                    + " next_media_sequence + :count"
                                                    + " WHERE id = :id")
                                    .bind("id", stream.value())
                                    .bind("count", count)
                                    .execute();
                    if (changed == 0) {
                        return Optional.empty();
                    }
                    // The update locks the row: no other call moves the floor before this read.
                    long end =
                            handle.createQuery(
                                            "SELECT next_media_sequence FROM live_streams"
                                                    + " WHERE id = :id")
                                    .bind("id", stream.value())
                                    .mapTo(Long.class)
                                    .one();
                    return Optional.of(new Block(end - count, end));
                });
    }

    /**
     * Returns unused numbers at the end of a session. Does nothing when numbers behind the block
     * were reserved meanwhile.
     *
     * @param last the newest block of the session
     * @param next the first number that was not used, inside the block or its end
     * @return whether the floor is now {@code next}
     */
    public boolean settle(StreamId stream, Block last, long next) {
        if (next < last.start() || next > last.end()) {
            throw new IllegalArgumentException(
                    "next media sequence: " + next + " (expected: inside " + last + ")");
        }
        return database.with(
                handle ->
                        handle.createUpdate(
                                                "UPDATE live_streams SET next_media_sequence = :next"
                                                        + " WHERE id = :id"
                                                        + " AND next_media_sequence = :end")
                                        .bind("id", stream.value())
                                        .bind("next", next)
                                        .bind("end", last.end())
                                        .execute()
                                > 0);
    }
}
