package touchline.api.cluster;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import touchline.api.db.EndpointOwnerRepository;
import touchline.api.events.EndpointDuty;
import touchline.api.events.WebhookDispatch;

/**
 * The webhook endpoints that this node sends to. It takes those without a node, and keeps them
 * until it ends. Events that other nodes record are found by polling.
 */
public final class EndpointOwnership implements EndpointDuty {
    private final EndpointOwnerRepository owners;
    private final Set<String> own = ConcurrentHashMap.newKeySet();

    public EndpointOwnership(EndpointOwnerRepository owners) {
        this.owners = owners;
    }

    @Override
    public boolean isOurs(String endpoint) {
        return own.contains(endpoint);
    }

    /** Blocks. */
    public void tick(WebhookDispatch dispatch) {
        for (EndpointOwnerRepository.Free free : owners.free()) {
            if (owners.claim(free)) {
                own.add(free.endpoint());
                dispatch.changed(free.endpoint());
            }
        }
        dispatch.poll();
    }
}
