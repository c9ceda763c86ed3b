package touchline.api.asset;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import touchline.api.domain.AssetId;

/**
 * Counts the readers of each asset's files. The files stay until the last reader closes its lease,
 * even if the asset is deleted meanwhile. Any thread; never blocks.
 */
public final class AssetLeases {
    private final ConcurrentHashMap<AssetId, Integer> users = new ConcurrentHashMap<>();

    /** How many hold all assets. */
    private final AtomicInteger ofAll = new AtomicInteger();

    /** Set once, before the first request. */
    private volatile Runnable whenUnused = () -> {};

    AssetLeases() {}

    /**
     * @param action called when the last lease of an asset is closed; returns at once
     */
    void whenUnused(Runnable action) {
        whenUnused = action;
    }

    /** One reader of an asset's files. */
    public interface Use extends AutoCloseable {
        /** Ends the lease. Idempotent. */
        @Override
        void close();
    }

    /** Keeps the files of all assets until it is closed: for the time that single leases take. */
    public Use beginAll() {
        AtomicBoolean over = new AtomicBoolean();
        ofAll.incrementAndGet();
        return () -> {
            if (!over.getAndSet(true) && ofAll.decrementAndGet() == 0) {
                whenUnused.run();
            }
        };
    }

    /** Opens a lease of an asset's files. */
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
        return ofAll.get() > 0 || users.containsKey(asset);
    }
}
