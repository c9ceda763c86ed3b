package touchline.api.db;

import org.jdbi.v3.core.Handle;
import touchline.media.StreamId;

/**
 * The fencing token of a stream's owner. A write of a session names it, and is rejected when
 * another node has taken the stream since. Costs one statement in a cluster, nothing without.
 * Immutable.
 *
 * @param number from 1; 0 without a cluster
 */
public record Epoch(StreamId stream, long number) {
    /** Of the only server: it needs none. */
    public static final Epoch ALONE = new Epoch(new StreamId("any"), 0);

    /** Of a stream that this node does not own: every write is rejected. */
    private static final long LOST = -1;

    /** This node does not own the stream. */
    public static Epoch lost(StreamId stream) {
        return new Epoch(stream, LOST);
    }

    boolean isAlone() {
        return number == 0;
    }

    /**
     * Holds the owner until the transaction ends.
     *
     * @throws FencedException where this epoch is over
     */
    void require(Handle handle) {
        if (isAlone()) {
            return;
        }
        boolean isGood =
                handle.createQuery(
                                "SELECT epoch FROM stream_owners"
                                        + " WHERE stream_id = :stream AND epoch = :epoch"
                                        + " AND node_id IS NOT NULL FOR UPDATE")
                        .bind("stream", stream.value())
                        .bind("epoch", number)
                        .mapTo(Long.class)
                        .findOne()
                        .isPresent();
        if (!isGood && !isDeleted(handle)) {
            throw new FencedException(
                    "stream "
                            + stream
                            + ": this node does not own it any more (epoch "
                            + number
                            + ")");
        }
    }

    /** Its row goes with the stream: then there is nothing to protect. */
    private boolean isDeleted(Handle handle) {
        return handle.createQuery("SELECT id FROM live_streams WHERE id = :id")
                .bind("id", stream.value())
                .mapTo(String.class)
                .findOne()
                .isEmpty();
    }
}
