package touchline.api.db;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * What was deleted and may have objects in S3, by a table with a row for each. Immutable.
 *
 * @param table has the columns {@code home} and {@code deleted_at_ms}
 * @param key column of what was deleted
 */
record DeletedObjects(String table, String key, AssetHome home) {
    /**
     * Keys, oldest first.
     *
     * @param mine deleted before this time by this server, or by a node that does not run
     * @param any deleted before this time by any node
     * @param limit of each of both
     */
    Set<String> before(Handle handle, Instant mine, Instant any, int limit) {
        String select = "SELECT %s FROM %s WHERE :time >= deleted_at_ms".formatted(key, table);
        String oldest = " ORDER BY deleted_at_ms LIMIT :limit";
        Set<String> due = new LinkedHashSet<>();
        Query here = handle.createQuery(select + " AND " + home.notElsewhere(table) + oldest);
        add(home.bound(here), mine, limit, due);
        add(handle.createQuery(select + oldest), any, limit, due);
        return due;
    }

    private static void add(Query query, Instant time, int limit, Set<String> due) {
        query.bind("time", time.toEpochMilli())
                .bind("limit", limit)
                .mapTo(String.class)
                .forEach(due::add);
    }
}
