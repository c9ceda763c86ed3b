package touchline.api.cluster.ownership;

/**
 * One run of a node: a restart, or a return after a fence, is another incarnation. Immutable.
 *
 * @param id {@code cluster.node}
 * @param incarnation from 1, raised by each join
 */
public record NodeRef(String id, long incarnation) {
    @Override
    public String toString() {
        return id + "#" + incarnation;
    }
}
