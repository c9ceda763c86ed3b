package touchline.benchmarks.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/** Which members of a network do not reach each other. Any thread. */
final class Partition {
    /** Two members, in either order. */
    private record Pair(String first, String second) {
        static Pair of(String one, String other) {
            return one.compareTo(other) < 0 ? new Pair(one, other) : new Pair(other, one);
        }
    }

    @GuardedBy("this")
    private final Set<Pair> cut = new HashSet<>();

    /** From now on a member reaches none of these, and none of these reaches it. */
    synchronized void cut(String member, Collection<String> others) {
        others.forEach(other -> cut.add(Pair.of(member, other)));
    }

    /** All reach each other. */
    synchronized void heal() {
        cut.clear();
        notifyAll();
    }

    synchronized boolean isCut(String one, String other) {
        return cut.contains(Pair.of(one, other));
    }

    /** Returns when these two reach each other. */
    synchronized void awaitWhole(String one, String other) throws InterruptedException {
        while (cut.contains(Pair.of(one, other))) {
            wait();
        }
    }
}
