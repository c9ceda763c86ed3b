package touchline.api.cluster;

import java.util.List;
import java.util.Optional;
import touchline.api.db.DatabaseException;
import touchline.api.db.NodeIdentity;
import touchline.api.db.NodeRepository;
import touchline.api.domain.ClusterNode;

/**
 * The nodes of the cluster, as the database had them at the newest heartbeat. While the database is
 * away they stay as they were. One thread reads them, any thread uses them.
 */
public final class NodeDirectory {
    private final NodeRepository repository;
    private final NodeIdentity self;
    private final DatabaseClock clock;

    /** Volatile: one thread publishes an immutable list, all others read it. */
    private volatile List<ClusterNode> nodes = List.of();

    /**
     * @param clock set by each reading
     */
    public NodeDirectory(NodeRepository repository, NodeIdentity self, DatabaseClock clock) {
        this.repository = repository;
        this.self = self;
        this.clock = clock;
    }

    /** Reads them from the database; blocks. */
    public void tick() {
        NodeRepository.Registry read = repository.read();
        clock.read(read.databaseTime());
        nodes = read.nodes();
    }

    /** This node; empty before the first reading. */
    public Optional<ClusterNode> self() {
        return find(self.id());
    }

    /** Any node that ever joined. */
    public Optional<ClusterNode> find(String id) {
        return nodes.stream().filter(each -> each.id().equals(id)).findFirst();
    }

    /** The other nodes that run and can be reached, by id. */
    public List<ClusterNode> others() {
        return reachable(nodes, self.id());
    }

    /**
     * The same as the database has them now, and while it is away as it had them last: a change
     * that was committed just before is passed on all the same. Blocks.
     */
    public List<ClusterNode> othersNow() {
        try {
            return reachable(repository.list(), self.id());
        } catch (DatabaseException _) {
            return others();
        }
    }

    /** Of these nodes those that run and can be reached, but for one. */
    public static List<ClusterNode> reachable(List<ClusterNode> nodes, String but) {
        return nodes.stream()
                .filter(each -> !each.id().equals(but))
                .filter(each -> each.isAlive() && each.addresses().areKnown())
                .toList();
    }
}
