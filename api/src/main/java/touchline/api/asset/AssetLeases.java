package touchline.api.asset;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import touchline.api.domain.AssetId;

/**
 * Which assets' files somebody reads at this moment: they stay until that is over, also where the
 * asset is deleted meanwhile. Any thread; nobody waits.
 */
public final class AssetLeases {
    private final ConcurrentHashMap<AssetId, Integer> users = new ConcurrentHashMap<>();

    /** Set once, before anything is served. */
    private volatile Runnable whenUnused = () -> {};

    AssetLeases() {}

    /**
     * @param action called when nobody uses an asset any more; returns at once
     */
    void whenUnused(Runnable action) {
        whenUnused = action;
    }

    /** Something that reads files. */
    public interface Use extends AutoCloseable {
        /** It is over. Idempotent. */
        @Override
        void close();
    }

    /** The files of an asset are read from now on. */
    public Use begin(AssetId asset) {
        users.merge(asset, 1, Integer::sum);
        AtomicBoolean over = new AtomicBoolean();
        return () -> {
            if (!over.getAndSet(true)
                    && users.computeIfPresent(asset, (_, count) -> count == 1 ? null : count - 1)
                            == null) {
                whenUnused.run();
            }
        };
    }

    public boolean isUsed(AssetId asset) {
        return users.containsKey(asset);
    }
}
