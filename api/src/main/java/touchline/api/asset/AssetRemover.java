package touchline.api.asset;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.AssetId;

/**
 * Removes the files of deleted assets: at the start what an earlier process has left, later when it
 * is woken, and every few minutes what could not be removed before. On a virtual thread of its own.
 */
final class AssetRemover {
    private static final Logger log = LoggerFactory.getLogger(AssetRemover.class);
    private static final Duration TRY_AGAIN = Duration.ofMinutes(5);
    private static final int AT_ONCE = 1_000;

    private final AssetService.Dependencies parts;
    private final Predicate<AssetId> inUse;
    private final Semaphore wanted = new Semaphore(0);
    private final ReentrantLock removing = new ReentrantLock();

    /**
     * @param inUse whose files have to stay for now; {@link #wake} when that is over
     */
    AssetRemover(AssetService.Dependencies parts, Predicate<AssetId> inUse) {
        this.parts = parts;
        this.inUse = inUse;
    }

    void start() {
        Thread.ofVirtual().name("asset-remover").start(this::run);
    }

    /** Something has been deleted, or the server stops. */
    void wake() {
        wanted.release();
    }

    /** Removes what there is; what fails is logged and stays listed. */
    void drain() {
        removing.lock();
        try {
            List<AssetId> left = parts.repository().leftovers(AT_ONCE);
            boolean progress = true;
            while (!left.isEmpty() && progress) {
                progress = removed(left) > 0;
                left = parts.repository().leftovers(AT_ONCE);
            }
        } catch (RuntimeException e) {
            log.warn("deleted assets are not removed yet: {}", e.getMessage());
        } finally {
            removing.unlock();
        }
    }

    private int removed(List<AssetId> assets) {
        int removed = 0;
        for (AssetId asset : assets) {
            if (inUse.test(asset)) {
                log.info("asset={} its files are still read, and removed behind that", asset);
                continue;
            }
            try {
                FolderTree.remove(parts.folders().of(asset));
                parts.repository().removed(asset);
                removed++;
            } catch (IOException e) {
                log.warn("asset={} its files are not removed yet: {}", asset, e.toString());
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
