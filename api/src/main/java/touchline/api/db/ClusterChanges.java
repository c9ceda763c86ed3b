package touchline.api.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;

/**
 * What nodes of a cluster have changed, for the other nodes. A row only says that something is to
 * be read again, so reading it twice does no harm. Without a cluster nothing is stored. Calls
 * block; any thread.
 */
public final class ClusterChanges {
    /** Identity order is not the order of commits: rows of this time are read again. */
    public static final long LOOK_BACK_MS = 30_000;

    private static final long KEPT_MS = 600_000;

    /** Of changes that every node reads, also the one that has made it. */
    private static final String ALL_NODES = "";

    private final Database database;

    /** Volatile: set once, before the first change of a client. */
    private volatile Consumer<Row> others = _ -> {};

    private final List<BiConsumer<Kind, String>> here = new CopyOnWriteArrayList<>();

    /** What has changed. */
    public enum Kind {
        /** The definition, settings or playback ids of a stream; or it was disabled or deleted. */
        STREAM,
        /** A stream has another key. */
        STREAM_KEY,
        /** A stream has another key for its backup. */
        BACKUP_KEY,
        /** A client has completed the session of a stream. */
        COMPLETED,
        /** A key that signs playback tokens. */
        SIGNING_KEY,
        /** A webhook endpoint. */
        ENDPOINT,
        /** An asset. */
        ASSET,
        /** A stream has become active at a node, or is not any more. */
        OWNER;

        /** Its name in the table, and between nodes. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Empty for a kind that only a newer version knows. */
        public static Optional<Kind> of(String wireName) {
            return Arrays.stream(values())
                    .filter(each -> each.wireName().equals(wireName))
                    .findFirst();
        }
    }

    /**
     * A change.
     *
     * @param id of the row
     * @param subject id of what has changed
     */
    public record Row(long id, Kind kind, String subject) {}

    ClusterChanges(Database database) {
        this.database = database;
    }

    /**
     * Passes each change of this node on, after its commit and before the caller goes on.
     *
     * @param receiver may block
     */
    public void passOn(Consumer<Row> receiver) {
        others = receiver;
    }

    /**
     * Receives each change of this server after its commit, also without a cluster.
     *
     * @param receiver does not block
     */
    public void listen(BiConsumer<Kind, String> receiver) {
        here.add(receiver);
    }

    /** Stores it for the other nodes, in the transaction around this call if there is one. */
    public void record(Kind kind, String subject) {
        database.afterCommit(() -> here.forEach(each -> each.accept(kind, subject)));
        database.node()
                .ifPresent(
                        node -> {
                            long id =
                                    database.with(
                                            handle -> insert(handle, node.id(), kind, subject));
                            Row row = new Row(id, kind, subject);
                            database.afterCommit(() -> others.accept(row));
                        });
    }

    /**
     * Stores a change that all nodes read with their next poll, this one too, in the caller's
     * transaction. No node is called.
     */
    static void recordForAll(Handle handle, Kind kind, String subject) {
        long _ = insert(handle, ALL_NODES, kind, subject);
    }

    private static long insert(Handle handle, String node, Kind kind, String subject) {
        return handle.createUpdate(
                        "INSERT INTO cluster_changes (at_ms, node_id, kind, subject) VALUES ("
                                + LeaseConnection.NOW
                                + ", :node, :kind, :subject)")
                .bind("node", node)
                .bind("kind", kind.wireName())
                .bind("subject", subject)
                .executeAndReturnGeneratedKeys("id")
                .mapTo(Long.class)
                .one();
    }

    /**
     * The changes by other nodes in the last half minute, and those for all nodes, in the order of
     * their numbers.
     */
    public List<Row> recent() {
        return database.with(
                handle ->
                        handle
                                .createQuery(
                                        "SELECT id, kind, subject FROM cluster_changes"
                                                + " WHERE at_ms > "
                                                + LeaseConnection.NOW
                                                + " - :back AND node_id \\<> :node ORDER BY id")
                                .bind("back", LOOK_BACK_MS)
                                .bind("node", database.node().orElseThrow().id())
                                .map((row, _) -> row(row))
                                .stream()
                                .flatMap(Optional::stream)
                                .toList());
    }

    /** Empty for a kind that only a newer version knows. */
    private static Optional<Row> row(ResultSet row) throws SQLException {
        long id = row.getLong("id");
        String subject = row.getString("subject");
        return Kind.of(row.getString("kind")).map(known -> new Row(id, known, subject));
    }

    /** Deletes rows that no node reads any more. */
    public void purge() {
        database.with(
                handle ->
                        handle.createUpdate(
                                        "DELETE FROM cluster_changes WHERE at_ms \\< "
                                                + LeaseConnection.NOW
                                                + " - :kept")
                                .bind("kept", KEPT_MS)
                                .execute());
    }
}
