package touchline.packager.delivery;

import touchline.packager.edge.Edge;

/**
 * What a playback server of a cluster has besides: it answers other nodes, and asks them.
 *
 * @param edge started and closed by the server
 */
public record ClusterPlayback(NodeAccess nodes, Edge edge) {}
