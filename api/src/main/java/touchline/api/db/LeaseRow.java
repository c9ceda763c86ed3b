package touchline.api.db;

import java.time.Instant;

/**
 * A server that has, or had, the database: the only server, or a node of a cluster. Immutable.
 *
 * @param key the row: {@code server}, or {@code node} and the id of the node
 * @param incarnation number of the server that took it last
 * @param beats renewals by this server
 * @param free never taken, or given back
 * @param over was not renewed in time
 * @param name for people
 * @param process identity of its process, see {@link LeaseHolder}
 */
record LeaseRow(
        String key,
        long incarnation,
        long beats,
        boolean free,
        boolean over,
        Instant since,
        String name,
        String process) {
    private static final String NODE = "node ";

    /** The row of a database with one server. */
    static final String SERVER = "server";

    static String keyOf(String node) {
        return NODE + node;
    }

    boolean isNode() {
        return key.startsWith(NODE);
    }

    /** Whether the holder has not renewed it since the other row was read. */
    boolean isUnchangedSince(LeaseRow earlier) {
        return incarnation == earlier.incarnation && beats == earlier.beats;
    }

    /** The holder, for a message. */
    String holder() {
        return (isNode() ? key + " of a cluster: " : "") + name;
    }
}
