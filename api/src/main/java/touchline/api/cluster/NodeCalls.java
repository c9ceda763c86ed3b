package touchline.api.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.Set;
import touchline.api.db.ClusterChanges;
import touchline.api.domain.ViewerCounts;

/** Port: what this node does when another one calls. Any thread. */
public interface NodeCalls {
    /** The state of this node. Does not block. */
    NodeReport report();

    /** The viewers that this node serves. Does not block. */
    ViewerCounts viewers();

    /** The newest samples of the signals that this node watches, as the API shows them. */
    ArrayNode signals();

    /**
     * Another node has changed something: drops what is held of it, and returns when that is done.
     *
     * @return false if it failed, and will be tried again
     */
    boolean changed(ClusterChanges.Row change);

    /** Looks for work that another node has stored. Does not block. */
    void woken(Set<WakeUp> work);
}
