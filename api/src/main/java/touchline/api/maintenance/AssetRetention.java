package touchline.api.maintenance;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.asset.AssetService;
import touchline.api.db.AssetRepository.Deletion;
import touchline.api.db.FinishedAssets;
import touchline.api.db.FinishedAssets.Finished;
import touchline.api.domain.AssetId;
import touchline.api.domain.FilePlace;
import touchline.config.RetentionConfig;
import touchline.config.StorageConfig;
import touchline.media.store.DiskSpace;

/**
 * Deletes the oldest finished assets, if configured: those above the maximum age, then as many as
 * exceed the maximum size, then as many as free the disk. Assets in use, or finished for less than
 * {@code min-age}, stay.
 *
 * <p>In a cluster each node deletes its own assets. Where they are in S3 the size is that of all
 * nodes together: every node finds the same assets to delete, each is deleted by its own node, and
 * those of a node that does not run by any.
 *
 * <p>Runs on its own virtual thread until it is closed.
 */
public final class AssetRetention implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(AssetRetention.class);
    private static final Duration EVERY = Duration.ofSeconds(30);
    private static final int AT_ONCE = 1_000;

    private final Supplier<StorageConfig> storage;
    private final AssetService service;
    private final FinishedAssets assets;
    private final Predicate<AssetId> inUse;
    private final FreeSpace space;
    private final boolean inS3;
    private final InstantSource clock;
    private final PeriodicTask task = new PeriodicTask("asset-retention", EVERY, this::apply);

    /** Port: what the disk of the assets has left. */
    @FunctionalInterface
    public interface FreeSpace {
        DiskSpace read() throws IOException;
    }

    /**
     * Dependencies; borrowed.
     *
     * @param inUse whether a finished asset must stay, such as the source of a clip
     * @param inS3 whether assets are in S3: then files are removed instead of assets, when the disk
     *     is nearly full
     */
    public record Dependencies(
            AssetService service,
            FinishedAssets assets,
            Predicate<AssetId> inUse,
            FreeSpace space,
            boolean inS3,
            InstantSource clock) {}

    /**
     * @param storage asked at each run
     */
    public AssetRetention(Supplier<StorageConfig> storage, Dependencies dependencies) {
        this.storage = storage;
        this.service = dependencies.service();
        this.assets = dependencies.assets();
        this.inUse = dependencies.inUse();
        this.space = dependencies.space();
        this.inS3 = dependencies.inS3();
        this.clock = dependencies.clock();
    }

    public void start() {
        task.start();
    }

    @Override
    public void close() {
        task.close();
    }

    /**
     * Deletes the assets beyond the limits, as far as it is for this server. Returns their number.
     */
    public int apply() {
        StorageConfig limits = storage.get();
        RetentionConfig config = limits.retention();
        if (!config.isOn()) {
            return 0;
        }
        Instant now = clock.instant();
        // Read first: what another node deletes between these two counts as if it were to go yet.
        List<Finished> oldest = assets.oldest(inS3, now.minus(config.minAge()), AT_ONCE);
        long totalBytes = config.maxBytes() > 0 ? assets.totalBytes(inS3) : 0;
        int deleted = 0;
        for (Finished asset : oldest) {
            Optional<String> reason = reason(limits, asset, now, totalBytes);
            if (reason.isEmpty()) {
                break;
            }
            boolean isForMe = asset.place() != FilePlace.ELSEWHERE;
            if (isForMe && inUse.test(asset.id())) {
                continue;
            }
            totalBytes -= asset.sizeBytes();
            if (isForMe && service.delete(asset.id()) == Deletion.DELETED) {
                log.info(
                        "asset={} is deleted by retention: {}, finished {}, {} bytes",
                        asset.id(),
                        reason.get(),
                        asset.finishedAt(),
                        asset.sizeBytes());
                // Before the next check of the free space.
                service.removeFiles();
                deleted++;
            }
        }
        return deleted;
    }

    /** The reason to delete this asset; empty if it and all younger ones stay. */
    private Optional<String> reason(
            StorageConfig limits, Finished asset, Instant now, long totalBytes) {
        RetentionConfig config = limits.retention();
        boolean aged = !config.maxAge().isZero();
        if (aged && asset.finishedAt().isBefore(now.minus(config.maxAge()))) {
            return Optional.of("older than storage.retention-max-age");
        }
        if (config.maxBytes() > 0 && totalBytes > config.maxBytes()) {
            return Optional.of("the assets together exceed storage.retention-max-bytes");
        }
        if (config.onLowSpace() && !inS3 && isSpaceLow(limits)) {
            return Optional.of("the disk is nearly full");
        }
        return Optional.empty();
    }

    /** Frees space before recording would stop. */
    private boolean isSpaceLow(StorageConfig limits) {
        DiskSpace.Least wanted =
                new DiskSpace.Least(limits.minFreeBytes(), limits.minFreeInodes()).withMargin();
        try {
            return space.read().isBelow(wanted);
        } catch (IOException e) {
            log.warn("cannot read free disk space: {}", e.toString());
            return false;
        }
    }
}
