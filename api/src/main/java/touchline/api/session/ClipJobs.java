package touchline.api.session;

import touchline.api.domain.Asset;

/** Port: cuts clips, one after the other, whatever happens to this process. */
public interface ClipJobs {
    /**
     * Takes a clip whose row is committed: status {@code preparing}, origin {@link
     * touchline.api.domain.AssetOrigin.Cut}. Returns at once; taking the same clip twice cuts it
     * once. At a start the clips of {@link touchline.api.db.AssetRepository#clipsToCut} are given
     * again. A row that is gone when the work is done was deleted meanwhile: its folder is removed.
     */
    void submit(Asset clip);
}
