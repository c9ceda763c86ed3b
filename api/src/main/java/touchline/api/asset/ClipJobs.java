package touchline.api.asset;

import touchline.api.domain.Asset;

/** Port: cuts clips, one after the other, whatever happens to this process. */
public interface ClipJobs {
    /**
     * Takes a clip whose row is stored, in the transaction that stores it or later: status {@code
     * preparing}, origin {@link touchline.api.domain.AssetOrigin.Cut}. Returns at once; taking the
     * same clip twice cuts it once. A row that is gone when the work is done was deleted meanwhile:
     * its folder is removed.
     */
    void submit(Asset clip);
}
