package touchline.api.domain;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A node of a cluster, as its row says.
 *
 * @param incarnation grows with each of its starts
 * @param roles what it does
 * @param version of its build
 * @param configHash of the settings that viewers notice
 * @param streams that run there
 * @param load use of its processors, 0 to 1
 * @param since its last start
 * @param leaseLeft until it may be declared dead; negative if it is late
 * @param addresses at which other nodes reach it
 */
public record ClusterNode(
        String id,
        long incarnation,
        NodeState state,
        List<String> roles,
        String version,
        String configHash,
        int streams,
        double load,
        Instant since,
        Duration leaseLeft,
        NodeAddresses addresses) {
    public ClusterNode {
        roles = List.copyOf(roles);
    }

    /** Whether it runs, as far as the database knows. */
    public boolean isAlive() {
        return state != NodeState.GONE && !leaseLeft.isNegative();
    }
}
