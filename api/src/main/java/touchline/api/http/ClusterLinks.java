package touchline.api.http;

import java.time.Duration;
import touchline.api.cluster.NodeClient;
import touchline.api.cluster.NodeDirectory;

/**
 * The other nodes of a cluster. Borrowed.
 *
 * @param patience with a node that does not answer: behind its lease, nothing it does late counts
 */
public record ClusterLinks(NodeDirectory directory, NodeClient client, Duration patience) {}
