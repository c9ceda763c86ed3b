package touchline.api.db;

import java.util.List;
import org.jspecify.annotations.Nullable;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.OwnerRow;
import touchline.api.cluster.ownership.OwnershipTimes;
import touchline.api.cluster.ownership.Registry;
import touchline.api.cluster.ownership.ResumeRecord;

/**
 * What a node sends with each heartbeat, and what it learns from it, in one transaction. The thread
 * of the lease calls it; no call waits.
 */
public interface NodeExchange {
    /** Sends and learns nothing: for commands, and tests without streams. */
    NodeExchange NONE =
            new NodeExchange() {
                @Override
                public OwnershipTimes times() {
                    return OwnershipTimes.DEFAULT;
                }

                @Override
                public void joined(NodeRef self, Registry registry, long sentAtNs) {}

                @Override
                public Sent due() {
                    return new Sent(0, /* broken= */ true, List.of());
                }

                @Override
                public void confirmed(Sent sent, Answer answer, long sentAtNs) {}

                @Override
                public void failed() {}

                @Override
                public void rejected() {}
            };

    /**
     * @param confirmedAtMs database time of the newest heartbeat whose answer has come
     * @param broken whether a heartbeat has failed since
     * @param owned all streams of this node
     */
    record Sent(long confirmedAtMs, boolean broken, List<Owned> owned) {
        public Sent {
            owned = List.copyOf(owned);
        }
    }

    /**
     * A stream of this node.
     *
     * @param floor to be stored, if it is higher
     * @param initFloor likewise
     * @param resume to be stored; null where nothing new is known
     */
    record Owned(Epoch epoch, long floor, int initFloor, @Nullable ResumeRecord resume) {
        boolean changes(OwnerRow row) {
            return floor > row.floor() || initFloor > row.initFloor() || resume != null;
        }
    }

    /**
     * @param rows of the streams that were sent, as far as they exist, and of others that name this
     *     node
     */
    record Answer(Registry registry, List<OwnerRow> rows) {
        public Answer {
            rows = List.copyOf(rows);
        }
    }

    OwnershipTimes times();

    /**
     * @param sentAtNs time of this host's monotonic clock when it was sent
     */
    void joined(NodeRef self, Registry registry, long sentAtNs);

    Sent due();

    void confirmed(Sent sent, Answer answer, long sentAtNs);

    /** The heartbeat failed, or its answer did not come in time: it may be stored nevertheless. */
    void failed();

    /** Another node has declared this one dead. */
    void rejected();
}
