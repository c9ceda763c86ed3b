package touchline.ingest;

import java.net.InetSocketAddress;

/**
 * The node that owns a stream. Immutable, any thread.
 *
 * @param id of the node
 * @param address of its RTMP listener; resolved
 */
public record OwnerNode(String id, InetSocketAddress address) {
    public OwnerNode {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("address of " + id + ": not resolved");
        }
    }
}
