package touchline.api.db;

import java.util.Collection;
import java.util.List;
import touchline.media.StreamId;

/** Port: the active streams of all nodes that are not disabled. Calls block. */
public interface ActiveStreamRows {
    /**
     * All of them.
     *
     * @param limit at most so many, those that have changed last
     */
    List<ActiveStream> all(int limit);

    /** Those of these that are active and not disabled. */
    List<ActiveStream> of(Collection<StreamId> streams);
}
