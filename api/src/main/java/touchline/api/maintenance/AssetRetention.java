package touchline.api.maintenance;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.asset.AssetService;
import touchline.api.db.AssetRepository;
import touchline.api.db.AssetRepository.Deletion;
import touchline.api.db.AssetRepository.Finished;
import touchline.api.domain.AssetId;
import touchline.config.RetentionConfig;
import touchline.config.StorageConfig;

/**
 * Deletes the oldest finished assets where the configuration asks for it: those that are too old,
 * then as many as are too large together, then as many as free the disk. Never one that has not
 * been finished for {@code min-age}, nor one that is in use. Nothing is deleted unless configured.
 *
 * <p>On a virtual thread of its own, until it is closed.
 */
public final class AssetRetention implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(AssetRetention.class);
    private static final Duration EVERY = Duration.ofSeconds(30);
    private static final int AT_ONCE = 1_000;

    private final RetentionConfig config;
    private final long wantedFreeBytes;
    private final AssetService keeper;
    private final AssetRepository assets;
    private final Predicate<AssetId> inUse;
    private final FreeSpace space;
    private final InstantSource clock;
    private final PeriodicTask task = new PeriodicTask("asset-retention", EVERY, this::apply);

    /** Port: how much may still be written where assets lie. */
    @FunctionalInterface
    public interface FreeSpace {
        long bytes() throws IOException;
    }

    /**
     * What it works with; borrowed.
     *
     * @param inUse what must stay although it is finished, such as the source of a clip
     */
    public record Dependencies(
            AssetService keeper,
            AssetRepository assets,
            Predicate<AssetId> inUse,
            FreeSpace space,
            InstantSource clock) {}

    public AssetRetention(StorageConfig storage, Dependencies dependencies) {
        this.config = storage.retention();
        // Room is made before recording would have to stop.
        this.wantedFreeBytes = storage.minFreeBytes() + storage.minFreeBytes() / 2;
        this.keeper = dependencies.keeper();
        this.assets = dependencies.assets();
        this.inUse = dependencies.inUse();
        this.space = dependencies.space();
        this.clock = dependencies.clock();
    }

    /** Without effect where nothing is to be deleted ever. */
    public void start() {
        if (config.isOn()) {
            task.start();
        }
    }

    @Override
    public void close() {
        task.close();
    }

    /** Deletes what has to go now, files included. Says how many assets that were. */
    int apply() {
        Instant now = clock.instant();
        long totalBytes = config.maxBytes() > 0 ? assets.totalBytes() : 0;
        int deleted = 0;
        for (Finished asset : assets.oldest(now.minus(config.minAge()), AT_ONCE)) {
            Optional<String> reason = reason(asset, now, totalBytes);
            if (reason.isEmpty()) {
                break;
            }
            if (!inUse.test(asset.id()) && keeper.delete(asset.id()) == Deletion.DELETED) {
                log.info(
                        "asset={} is deleted by retention: {}, finished {}, {} bytes",
                        asset.id(),
                        reason.get(),
                        asset.finishedAt(),
                        asset.sizeBytes());
                // Before the next is judged by the space that is free.
                keeper.removeFiles();
                totalBytes -= asset.sizeBytes();
                deleted++;
            }
        }
        return deleted;
    }

    /** Why this one has to go; empty where neither it nor a younger one has to. */
    private Optional<String> reason(Finished asset, Instant now, long totalBytes) {
        boolean aged = !config.maxAge().isZero();
        if (aged && asset.finishedAt().isBefore(now.minus(config.maxAge()))) {
            return Optional.of("older than storage.retention-max-age");
        }
        if (config.maxBytes() > 0 && totalBytes > config.maxBytes()) {
            return Optional.of("all together above storage.retention-max-bytes");
        }
        if (config.onLowSpace() && isSpaceLow()) {
            return Optional.of("the disk is nearly full");
        }
        return Optional.empty();
    }

    private boolean isSpaceLow() {
        try {
            return space.bytes() < wantedFreeBytes;
        } catch (IOException e) {
            log.warn("free space is not known: {}", e.toString());
            return false;
        }
    }
}
