package touchline.api.db;

import java.util.Optional;
import touchline.media.StreamId;

/**
 * Selects assets of a list. Immutable.
 *
 * @param stream their live stream, which may be deleted
 * @param recorded only recordings (true), or only clips (false)
 * @param search a text that title, metadata or id contain
 */
public record AssetListing(
        Optional<StreamId> stream, Optional<Boolean> recorded, Optional<String> search) {
    /** Every asset. */
    public static final AssetListing ALL =
            new AssetListing(Optional.empty(), Optional.empty(), Optional.empty());

    /** Recordings and clips of a stream. */
    public static AssetListing of(StreamId stream) {
        return new AssetListing(Optional.of(stream), Optional.empty(), Optional.empty());
    }
}
