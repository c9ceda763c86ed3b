package touchline.benchmarks.simulation;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import touchline.api.cluster.ownership.NodeStanding;
import touchline.api.cluster.ownership.OwnedStream;
import touchline.api.cluster.ownership.OwnershipTimes;
import touchline.api.cluster.ownership.Step;

/** A stream at its owner, with the parts that viewers can ask for. Owned by its node. */
final class SimulatedStream {
    /** Parts of a segment. */
    static final int PARTS = 2;

    private static final int LISTED_PARTS = 8;

    final String id;
    OwnedStream owned;
    private int partsOfNewest = PARTS;

    /** Position, {@code number * PARTS + part}, to content. */
    private final NavigableMap<Long, Long> published = new TreeMap<>();

    SimulatedStream(String id, OwnedStream owned) {
        this.id = id;
        this.owned = owned;
    }

    Step<OwnedStream, OwnedStream.Action> on(
            OwnedStream.Message message, long nowMs, OwnershipTimes times) {
        Step<OwnedStream, OwnedStream.Action> step = owned.on(message, nowMs, times);
        owned = step.state();
        return step;
    }

    /**
     * The position of the next part, or -1 where a number is needed and none is allowed yet.
     *
     * @param judge receives each number that is used
     */
    long nextPart(NodeStanding standing, long nowMs, Judge judge) {
        if (partsOfNewest == PARTS) {
            OwnedStream next = owned.nextNumber(standing, nowMs);
            if (next == null) {
                return -1;
            }
            owned = next;
            partsOfNewest = 0;
            judge.used(owned.sessionId(), owned.epoch(), owned.newest());
        }
        return owned.newest() * PARTS + partsOfNewest++;
    }

    void publish(long position) {
        published.put(position, owned.epoch() << 32 | position);
        if (published.size() > LISTED_PARTS) {
            published.pollFirstEntry();
        }
    }

    /** The first part behind a position, or null. */
    Map.@Nullable Entry<Long, Long> behind(long position) {
        return published.higherEntry(position);
    }
}
