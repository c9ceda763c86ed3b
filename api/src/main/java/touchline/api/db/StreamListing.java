package touchline.api.db;

import java.util.Optional;
import java.util.Set;
import touchline.media.StreamId;

/**
 * Selects and orders live streams of a list. Immutable.
 *
 * @param filter by status
 * @param search a text that title, metadata or id contain
 * @param first these come first; otherwise newest first
 */
public record StreamListing(StreamFilter filter, Optional<String> search, Set<StreamId> first) {
    public StreamListing {
        first = Set.copyOf(first);
    }

    /** Newest first. */
    static StreamListing of(StreamFilter filter) {
        return new StreamListing(filter, Optional.empty(), Set.of());
    }
}
