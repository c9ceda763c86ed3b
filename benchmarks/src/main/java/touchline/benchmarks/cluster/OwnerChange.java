package touchline.benchmarks.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A row of a stream's owner after a change.
 *
 * @param owner node and incarnation; empty while no node has the stream
 * @param session empty without one
 */
record OwnerChange(
        String stream, long epoch, Optional<String> owner, Optional<String> session, long floor) {
    private record Term(String stream, long epoch) {}

    /**
     * What is wrong: an epoch with two owners, an epoch that goes back.
     *
     * @param changes oldest first
     */
    static List<String> faults(List<OwnerChange> changes) {
        List<String> faults = new ArrayList<>();
        Map<Term, String> owners = new HashMap<>();
        Map<String, OwnerChange> last = new HashMap<>();
        for (OwnerChange change : changes) {
            change.owner()
                    .ifPresent(
                            owner -> {
                                Term term = new Term(change.stream(), change.epoch());
                                String known = owners.putIfAbsent(term, owner);
                                if (known != null && !known.equals(owner)) {
                                    faults.add(
                                            "%s: epoch %d has two owners: %s and %s"
                                                    .formatted(
                                                            change.stream(),
                                                            change.epoch(),
                                                            known,
                                                            owner));
                                }
                            });
            OwnerChange before = last.put(change.stream(), change);
            if (before != null && change.epoch() < before.epoch()) {
                faults.add(
                        "%s: epoch %d follows epoch %d"
                                .formatted(change.stream(), change.epoch(), before.epoch()));
            }
        }
        return faults;
    }
}
