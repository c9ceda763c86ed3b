package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import org.jdbi.v3.core.Handle;
import touchline.media.StreamId;
import touchline.media.hub.FailoverSettings;

/** When the programme of a stream switches between its encoders: two columns of its row. */
final class FailoverRows {
    private FailoverRows() {}

    static void put(Handle handle, StreamId stream, FailoverSettings settings) {
        handle.createUpdate(
                        "UPDATE live_streams SET failover_after_ms = :failover,"
                                + " failback_after_ms = :failback WHERE id = :id")
                .bind("id", stream.value())
                .bind("failover", settings.failoverAfter().toMillis())
                .bind("failback", settings.failbackAfter().toMillis())
                .execute();
    }

    static FailoverSettings read(ResultSet row) throws SQLException {
        return new FailoverSettings(
                Duration.ofMillis(row.getInt("failover_after_ms")),
                Duration.ofMillis(row.getInt("failback_after_ms")));
    }
}
