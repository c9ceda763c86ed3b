package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;
import touchline.media.StreamId;
import touchline.packager.audience.ViewerMinute;

/** Viewers of live streams by minutes. Calls block; any thread. */
public final class ViewerRepository {
    private static final long MINUTE_MS = Duration.ofMinutes(1).toMillis();

    private static final int MOST_ATTEMPTS = 5;

    /** The id of all streams together. */
    private static final String ALL = "";

    private final Database database;

    public ViewerRepository(Database database) {
        this.database = database;
    }

    /**
     * Stores minutes, all or none. One that is there already is continued; in a cluster it is that
     * of another node, whose viewers are others.
     */
    public void add(List<ViewerMinute> minutes) {
        // One order for all nodes: none waits for a row of a node that waits for its own.
        List<ViewerMinute> ordered =
                minutes.stream()
                        .sorted(
                                Comparator.comparing((ViewerMinute each) -> id(each.stream()))
                                        .thenComparing(ViewerMinute::start))
                        .toList();
        for (int attempt = 1; ; attempt++) {
            try {
                addAll(ordered);
                return;
            } catch (DatabaseException e) {
                // Another node has stored one of them meanwhile: now it is continued.
                if (attempt == MOST_ATTEMPTS || !Database.isUniqueViolation(e)) {
                    throw e;
                }
            }
        }
    }

    private void addAll(List<ViewerMinute> minutes) {
        database.inTransaction(
                handle -> {
                    String viewers =
                            database.node().isPresent()
                                    ? "viewers + :viewers"
                                    : "GREATEST(viewers, :viewers)";
                    minutes.forEach(each -> add(handle, each, viewers));
                    return minutes.size();
                });
    }

    private static void add(Handle handle, ViewerMinute minute, String viewers) {
        int continued =
                bind(
                                handle.createUpdate(
                                                """
                                        UPDATE viewer_minutes
                                        SET viewers = <viewers>,
                                            played_ms = played_ms + :played,
                                            stalled_ms = stalled_ms + :stalled,
                                            startup_ms = COALESCE(:startup, startup_ms),
                                            bitrate_kbps = COALESCE(:bitrate, bitrate_kbps)
                                        WHERE stream_id = :stream AND at_minute = :minute
                                        """)
                                        .define("viewers", viewers),
                                minute)
                        .execute();
        if (continued == 0) {
            bind(
                            handle.createUpdate(
                                    """
                                    INSERT INTO viewer_minutes (stream_id, at_minute, viewers,
                                        played_ms, stalled_ms, startup_ms, bitrate_kbps)
                                    VALUES (:stream, :minute, :viewers, :played, :stalled,
                                        :startup, :bitrate)
                                    """),
                            minute)
                    .execute();
        }
    }

    private static Update bind(Update update, ViewerMinute minute) {
        return update.bind("stream", id(minute.stream()))
                .bind("minute", minute(minute.start()))
                .bind("viewers", minute.viewers())
                .bind("played", minute.playedMs())
                .bind("stalled", minute.stalledMs())
                .bind("startup", boxed(minute.startupMs()))
                .bind("bitrate", boxed(minute.bitrateKbps()));
    }

    /**
     * Viewers in steps of whole minutes, in their order; steps without viewers are left out. A
     * median of a step is the median of its minutes' medians.
     *
     * @param stream empty: all streams together
     * @param from a whole minute
     * @param to exclusive
     */
    public List<ViewerMinute> steps(
            Optional<StreamId> stream, Instant from, Instant to, Duration step) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        """
                                        SELECT step, MAX(viewers) AS viewers,
                                            SUM(played_ms) AS played_ms,
                                            SUM(stalled_ms) AS stalled_ms,
                                            PERCENTILE_DISC(0.5)
                                                WITHIN GROUP (ORDER BY startup_ms) AS startup_ms,
                                            PERCENTILE_DISC(0.5)
                                                WITHIN GROUP (ORDER BY bitrate_kbps)
                                                AS bitrate_kbps
                                        FROM (SELECT (at_minute - :from) / :minutes AS step,
                                                viewers, played_ms, stalled_ms, startup_ms,
                                                bitrate_kbps
                                            FROM viewer_minutes
                                            WHERE stream_id = :stream AND at_minute \\>= :from
                                                AND at_minute \\< :to) AS chosen
                                        GROUP BY step ORDER BY step
                                        """)
                                .bind("stream", id(stream))
                                .bind("from", minute(from))
                                .bind("to", minute(to))
                                .bind("minutes", step.toMinutes())
                                .map((row, _) -> step(row, stream, from, step))
                                .list());
    }

    private static ViewerMinute step(
            ResultSet row, Optional<StreamId> stream, Instant from, Duration step)
            throws SQLException {
        return new ViewerMinute(
                stream,
                from.plus(step.multipliedBy(row.getLong("step"))),
                row.getInt("viewers"),
                row.getLong("played_ms"),
                row.getLong("stalled_ms"),
                number(row, "startup_ms"),
                number(row, "bitrate_kbps"));
    }

    /**
     * Deletes old minutes.
     *
     * @param atMost rows
     * @return the number of deleted rows
     */
    public int deleteBefore(Instant oldest, int atMost) {
        return database.with(
                handle ->
                        handle.createUpdate(
                                        """
                                        DELETE FROM viewer_minutes
                                        WHERE (stream_id, at_minute) IN (
                                            SELECT stream_id, at_minute FROM viewer_minutes
                                            WHERE at_minute \\< :oldest
                                            ORDER BY at_minute LIMIT :most)
                                        """)
                                .bind("oldest", minute(oldest))
                                .bind("most", atMost)
                                .execute());
    }

    /**
     * Deletes minutes of deleted streams.
     *
     * @param atMost rows
     * @return the number of deleted rows
     */
    public int deleteOrphans(int atMost) {
        return database.with(
                handle ->
                        handle.createUpdate(
                                        """
                                        DELETE FROM viewer_minutes
                                        WHERE (stream_id, at_minute) IN (
                                            SELECT m.stream_id, m.at_minute
                                            FROM viewer_minutes AS m
                                            WHERE m.stream_id \\<> ''
                                                AND NOT EXISTS (SELECT 1 FROM live_streams AS l
                                                    WHERE l.id = m.stream_id)
                                            ORDER BY m.stream_id, m.at_minute LIMIT :most)
                                        """)
                                .bind("most", atMost)
                                .execute());
    }

    private static String id(Optional<StreamId> stream) {
        return stream.map(StreamId::value).orElse(ALL);
    }

    private static long minute(Instant at) {
        return Math.floorDiv(at.toEpochMilli(), MINUTE_MS);
    }

    private static Optional<Integer> boxed(OptionalInt number) {
        return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
    }

    private static OptionalInt number(ResultSet row, String column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? OptionalInt.empty() : OptionalInt.of(value);
    }
}
