package touchline.api.db;

import java.util.Map;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.domain.PublishTerms;
import touchline.media.StreamId;

/**
 * A stream with a session, at whichever node. Immutable.
 *
 * @param owner the node that works with it
 * @param epoch under which it does
 * @param keys what its push keys publish, by their hashes
 */
public record ActiveStream(StreamId id, NodeRef owner, long epoch, Map<String, PublishTerms> keys) {
    public ActiveStream {
        keys = Map.copyOf(keys);
    }
}
