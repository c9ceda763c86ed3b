package touchline.api.db;

import java.time.Duration;

/**
 * A node of a cluster, in one of its lives. Any thread.
 *
 * @param id {@code cluster.node}
 * @param incarnation grows with each start, from 1
 */
public record NodeIdentity(String id, long incarnation, Heartbeats heartbeats) {
    /** The heartbeats of a node. Any thread. */
    public interface Heartbeats {
        /** How late the newest one began. */
        Duration lateness();

        /** Time since the newest one that the database confirmed. */
        Duration age();

        /** For how long none was missed. */
        Duration unbroken();
    }

    /** The name under which it runs jobs. */
    public String schedulerName() {
        return id + "#" + incarnation;
    }
}
