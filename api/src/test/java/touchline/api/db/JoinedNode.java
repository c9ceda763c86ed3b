package touchline.api.db;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import touchline.config.DatabaseConfig;

/** Joins a cluster as a node that does nothing but its heartbeats. */
final class JoinedNode {
    private static final Duration LEASE = Duration.ofMinutes(1);

    private JoinedNode() {}

    /** The node's database; the caller closes it, and so ends the node. */
    static Database join(DatabaseConfig config, String id, Duration heartbeat) {
        return new ServerDatabase(
                        config,
                        Path.of("does-not-exist"),
                        new LeaseHolder(id, id, _ -> false),
                        _ -> {})
                .join(
                        new ServerDatabase.Joining(
                                new NodeSettings(
                                        id,
                                        List.of("origin", "jobs"),
                                        "1.0",
                                        "hash",
                                        "key",
                                        "secret"),
                                new NodeLoad(),
                                LEASE,
                                heartbeat,
                                NodeExchange.NONE));
    }
}
