package touchline.api.db;

import java.util.List;

/**
 * The nodes that send the deliveries of webhook endpoints: one for each endpoint, until that node
 * ends. Calls block; any thread.
 */
public final class EndpointOwnerRepository {
    private final Database database;
    private final NodeIdentity node;

    /**
     * @param database of a node
     */
    public EndpointOwnerRepository(Database database) {
        this.database = database;
        this.node = database.node().orElseThrow();
    }

    /** An endpoint that no node sends to; epoch 0 where none ever did. */
    public record Free(String endpoint, long epoch) {}

    public List<Free> free() {
        return database.with(
                handle ->
                        handle.createQuery(
                                        """
                                        SELECT w.id, COALESCE(o.epoch, 0) AS epoch
                                        FROM webhook_endpoints w
                                        LEFT JOIN endpoint_owners o ON o.endpoint_id = w.id
                                        LEFT JOIN nodes n ON n.id = o.node_id
                                            AND n.incarnation = o.incarnation
                                            AND n.state \\<> 'gone'
                                        WHERE n.id IS NULL ORDER BY w.id
                                        """)
                                .map(
                                        (row, _) ->
                                                new Free(row.getString("id"), row.getLong("epoch")))
                                .list());
    }

    /** Takes an endpoint; false where another node has it meanwhile. */
    public boolean claim(Free seen) {
        String sql =
                seen.epoch() == 0
                        ? """
                        INSERT INTO endpoint_owners (endpoint_id, epoch, node_id, incarnation)
                        VALUES (:endpoint, :epoch + 1, :node, :incarnation)
                        """
                        : """
                        UPDATE endpoint_owners SET epoch = :epoch + 1, node_id = :node,
                            incarnation = :incarnation
                        WHERE endpoint_id = :endpoint AND epoch = :epoch
                        """;
        try {
            return database.with(
                            handle ->
                                    handle.createUpdate(sql)
                                            .bind("endpoint", seen.endpoint())
                                            .bind("epoch", seen.epoch())
                                            .bind("node", node.id())
                                            .bind("incarnation", node.incarnation())
                                            .execute())
                    > 0;
        } catch (DatabaseException e) {
            if (Database.isUniqueViolation(e)) {
                return false;
            }
            throw e;
        }
    }
}
