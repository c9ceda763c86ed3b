package touchline.api.asset;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.AssetId;

/**
 * Removes the files of deleted assets: at the start, on {@link #wake}, and every few minutes for
 * those that failed before. Runs on its own virtual thread.
 */
final class AssetRemover {
    private static final Logger log = LoggerFactory.getLogger(AssetRemover.class);
    private static final Duration TRY_AGAIN = Duration.ofMinutes(5);
    private static final int AT_ONCE = 1_000;

    private final AssetService.Dependencies parts;
    private final Predicate<AssetId> inUse;
    private final Semaphore wanted = new Semaphore(0);
    private final ReentrantLock removing = new ReentrantLock();

    /** Deleted by other nodes, with files that came here from the store. */
    private final Set<AssetId> copies = ConcurrentHashMap.newKeySet();

    /**
     * @param inUse whether an asset's files must stay for now; call {@link #wake} when that ends
     */
    AssetRemover(AssetService.Dependencies parts, Predicate<AssetId> inUse) {
        this.parts = parts;
        this.inUse = inUse;
    }

    void start() {
        Thread.ofVirtual().name("asset-remover").start(this::run);
    }

    /**
     * Removes what came here of an asset that another node has deleted; call {@link #wake} then. A
     * start removes what is left.
     */
    void addCopy(AssetId asset) {
        if (parts.folders().isCopy(asset)) {
            copies.add(asset);
        }
    }

    /** Wakes the thread after a deletion, or when the server stops. */
    void wake() {
        wanted.release();
    }

    /** Removes all listed files. A failure is logged, and the asset stays listed. */
    void drain() {
        removing.lock();
        try {
            copies.removeIf(this::isCopyRemoved);
            List<AssetId> left = parts.repository().leftovers(AT_ONCE);
            boolean progress = true;
            while (!left.isEmpty() && progress) {
                progress = removed(left) > 0;
                left = parts.repository().leftovers(AT_ONCE);
            }
        } catch (RuntimeException e) {
            log.warn("cannot remove deleted assets, will be tried again: {}", e.getMessage());
        } finally {
            removing.unlock();
        }
    }

    private boolean isCopyRemoved(AssetId asset) {
        if (inUse.test(asset)) {
            return false;
        }
        try {
            FolderTree.remove(parts.folders().of(asset));
            return true;
        } catch (IOException e) {
            log.warn("asset={} cannot remove its copy: {}", asset, e.toString());
            return false;
        }
    }

    private int removed(List<AssetId> assets) {
        int removed = 0;
        for (AssetId asset : assets) {
            if (inUse.test(asset)) {
                log.info("asset={} its files are in use, and will be removed afterwards", asset);
                continue;
            }
            try {
                FolderTree.remove(parts.folders().of(asset));
                parts.repository().removed(asset);
                removed++;
            } catch (IOException e) {
                log.warn(
                        "asset={} cannot remove its files, will be tried again: {}",
                        asset,
                        e.toString());
            }
        }
        return removed;
    }

    private void run() {
        try {
            while (parts.stopping().getCount() > 0) {
                drain();
                boolean _ = wanted.tryAcquire(TRY_AGAIN.toMillis(), TimeUnit.MILLISECONDS);
                wanted.drainPermits();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
