package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jdbi.v3.core.statement.PreparedBatch;

/** The column {@code last_used_at_ms} of a table of credentials. */
final class LastUseColumn {
    private LastUseColumn() {}

    static Optional<Instant> read(ResultSet row) throws SQLException {
        long ms = row.getLong("last_used_at_ms");
        return row.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(ms));
    }

    /**
     * Stores times in one transaction. A later stored time stays; an unknown id is ignored.
     *
     * @param times by id, not empty
     */
    static void write(Database database, String table, Map<String, Instant> times) {
        database.inTransaction(
                handle -> {
                    PreparedBatch batch =
                            handle.prepareBatch(
                                    """
                                    UPDATE %s SET last_used_at_ms = :at WHERE id = :id
                                        AND (last_used_at_ms IS NULL OR last_used_at_ms \\< :at)
                                    """
                                            .formatted(table));
                    // In one order everywhere, so that two servers cannot lock each other out.
                    new TreeMap<>(times)
                            .forEach(
                                    (id, at) ->
                                            batch.bind("id", id)
                                                    .bind("at", at.toEpochMilli())
                                                    .add());
                    return batch.execute();
                });
    }
}
