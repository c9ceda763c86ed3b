package touchline.api.asset;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import touchline.api.asset.AssetPlaybackIds.Playable;
import touchline.api.domain.AssetId;

/**
 * Caches data that is read from an asset's files. A virtual thread reads it once for concurrent
 * requests. The least recently used entry is dropped first. Any thread; calls do not block.
 */
final class OpenFileCache<T> {
    /** Maximum number of entries: an hour of media needs some hundred kilobytes. */
    static final int MAX_KEPT = 64;

    /** Maximum concurrent reads of all caches: more would not be faster. */
    private static final Semaphore READING = new Semaphore(8);

    private final Opener<T> opener;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<AssetId, CompletableFuture<T>> kept =
            new LinkedHashMap<>(MAX_KEPT, 0.75f, /* accessOrder= */ true);

    /** Reads the data; blocks. */
    @FunctionalInterface
    interface Opener<T> {
        T open(Playable asset) throws Exception;
    }

    OpenFileCache(Opener<T> opener) {
        this.opener = opener;
    }

    /**
     * Returns the data, or fails with the opener's exception. After a failure the next call tries
     * again.
     */
    CompletableFuture<T> get(Playable asset) {
        CompletableFuture<T> opened;
        lock.lock();
        try {
            CompletableFuture<T> known = kept.get(asset.asset());
            if (known != null) {
                return known;
            }
            opened = new CompletableFuture<>();
            kept.put(asset.asset(), opened);
            if (kept.size() > MAX_KEPT) {
                Iterator<AssetId> eldest = kept.keySet().iterator();
                eldest.next();
                eldest.remove();
            }
        } finally {
            lock.unlock();
        }
        start(asset, opened);
        return opened;
    }

    /** Reads the current data without caching it, because it changes soon. */
    CompletableFuture<T> fresh(Playable asset) {
        CompletableFuture<T> opened = new CompletableFuture<>();
        start(asset, opened);
        return opened;
    }

    void remove(AssetId asset) {
        lock.lock();
        try {
            kept.remove(asset);
        } finally {
            lock.unlock();
        }
    }

    private void start(Playable asset, CompletableFuture<T> opened) {
        Thread.ofVirtual().name("open-" + asset.asset()).start(() -> open(asset, opened));
    }

    private void open(Playable asset, CompletableFuture<T> opened) {
        READING.acquireUninterruptibly();
        try {
            opened.complete(opener.open(asset));
        } catch (Exception | Error e) {
            lock.lock();
            try {
                kept.remove(asset.asset(), opened);
            } finally {
                lock.unlock();
            }
            opened.completeExceptionally(e);
        } finally {
            READING.release();
        }
    }
}
