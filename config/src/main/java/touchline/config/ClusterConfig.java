package touchline.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * {@code cluster}: several servers on one database.
 *
 * @param node id of this server among them; empty: the name of its host
 * @param roles what this server does
 * @param edgeCacheBytes memory for media of other nodes
 * @param lease a node without a heartbeat for this long may be declared dead
 * @param host listens for the other nodes
 * @param port of the same; 0: a free one
 * @param advertise name or address at which other nodes reach this host; empty: its address towards
 *     the database
 */
public record ClusterConfig(
        boolean enabled,
        Optional<String> node,
        List<Role> roles,
        long edgeCacheBytes,
        Duration lease,
        Duration heartbeat,
        String host,
        int port,
        Optional<String> advertise) {
    /** Off. */
    public static final ClusterConfig OFF =
            new ClusterConfig(
                    false,
                    Optional.empty(),
                    List.of(Role.values()),
                    512L << 20,
                    Duration.ofSeconds(6),
                    Duration.ofSeconds(1),
                    "0.0.0.0",
                    8082,
                    Optional.empty());

    public ClusterConfig {
        roles = List.copyOf(roles);
    }

    /** What a node does. */
    public enum Role {
        /** Accepts encoders. */
        ORIGIN("origin"),
        /** Serves viewers. */
        EDGE("edge"),
        /** Sends webhooks, and runs jobs. */
        JOBS("jobs");

        private final String wireName;

        Role(String wireName) {
            this.wireName = wireName;
        }

        public String wireName() {
            return wireName;
        }

        /**
         * The role of this name.
         *
         * @throws IllegalArgumentException for another name
         */
        static Role of(String name) {
            for (Role role : values()) {
                if (role.wireName.equals(name)) {
                    return role;
                }
            }
            throw new IllegalArgumentException(name);
        }
    }

    /** The same with another port. */
    public ClusterConfig withPort(int bound) {
        return new ClusterConfig(
                enabled, node, roles, edgeCacheBytes, lease, heartbeat, host, bound, advertise);
    }

    public boolean has(Role role) {
        return roles.contains(role);
    }

    /** Names of the roles, in the order of the documents. */
    public List<String> roleNames() {
        return roles.stream().sorted().map(Role::wireName).toList();
    }
}
