package touchline.api.home;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import touchline.api.domain.AssetId;

/**
 * The uploads of recordings that run. One begins with its first segment, or when the uploader finds
 * its row, and ends when the row says that the recording has ended. Any thread.
 */
final class GrowingUploads implements Fetch.Growth {
    private final GrowingUpload.Dependencies parts;
    private final Duration drain;
    private final ConcurrentHashMap<AssetId, GrowingUpload> running = new ConcurrentHashMap<>();

    /** Volatile: any thread reads it. */
    private volatile boolean open;

    /**
     * @param drain how long an end waits for what is complete
     */
    GrowingUploads(GrowingUpload.Dependencies parts, Duration drain) {
        this.parts = parts;
        this.drain = drain;
    }

    void start() {
        open = true;
    }

    @Override
    public void grown(AssetId asset) {
        if (open) {
            ensure(asset).wake();
        }
    }

    /** Begins the upload of a recording that runs; no effect if there is one. */
    GrowingUpload ensure(AssetId asset) {
        return running.compute(
                asset,
                (_, before) -> {
                    if (before != null && !before.hasEnded()) {
                        return before;
                    }
                    GrowingUpload upload = new GrowingUpload(asset, parts);
                    upload.start();
                    return upload;
                });
    }

    @Override
    public void flush(AssetId asset) {
        GrowingUpload upload = running.get(asset);
        if (upload != null) {
            upload.drain();
            upload.close(drain);
        }
    }

    @Override
    public boolean isBySegment() {
        return parts.withTails();
    }

    /** Assets with an upload. */
    Set<AssetId> assets() {
        return Set.copyOf(running.keySet());
    }

    /**
     * Lets the upload of a recording end that does not run any more.
     *
     * @return whether it has ended
     */
    boolean hasEnded(AssetId asset) {
        GrowingUpload upload = running.get(asset);
        if (upload == null) {
            return true;
        }
        upload.stop();
        return upload.hasEnded() && running.remove(asset, upload);
    }

    /** Whether a full file of a running recording is in S3. */
    boolean hasStored(AssetId asset, String name) {
        GrowingUpload upload = running.get(asset);
        return upload != null && upload.hasStored(name);
    }

    /** Segments of a running recording that wait, of the file that grows. */
    Waiting waiting(AssetId asset) {
        GrowingUpload upload = running.get(asset);
        return upload == null ? Waiting.NONE : upload.waiting();
    }

    /** Why the store has refused the last request of one of them; empty if it takes all. */
    Optional<String> failure() {
        return running.values().stream().flatMap(each -> each.failure().stream()).findFirst();
    }

    /** Ends all, when everything is written that is complete, or some seconds later. */
    void close() {
        open = false;
        long endNs = System.nanoTime() + drain.toNanos();
        running.values().forEach(GrowingUpload::drain);
        running.values()
                .forEach(
                        each ->
                                each.close(
                                        Duration.ofNanos(Math.max(0, endNs - System.nanoTime()))));
    }
}
