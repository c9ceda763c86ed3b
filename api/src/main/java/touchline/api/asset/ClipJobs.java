package touchline.api.asset;

import touchline.api.domain.Asset;

/** Port: cuts clips in durable jobs, which survive a crash of this process. */
public interface ClipJobs {
    /**
     * Submits a clip, in the transaction that stores its row or later: status {@code preparing},
     * origin {@link touchline.api.domain.AssetOrigin.Cut}. Returns at once. Submitting the same
     * clip twice cuts it once. If its row was deleted meanwhile, the job removes its folder.
     */
    void submit(Asset clip);
}
