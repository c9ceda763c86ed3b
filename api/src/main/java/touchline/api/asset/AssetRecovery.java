package touchline.api.asset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetError;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetOrigin;
import touchline.api.domain.AssetState;
import touchline.api.domain.AssetStatus;
import touchline.packager.record.Recording;

/**
 * Recovers assets at the start of the server. Playable assets are opened at once. The rest follows
 * on a virtual thread, newest first. Recordings of a crashed server are finished from their files.
 * Assets with missing files become errored until a later start finds the files, so an unmounted
 * disk loses nothing. What is stored elsewhere is brought back. Folders without a row may be
 * foreign: they are logged once and kept.
 */
final class AssetRecovery {
    private static final Logger log = LoggerFactory.getLogger(AssetRecovery.class);
    private static final int NAMED = 5;

    private final AssetService.Dependencies parts;

    AssetRecovery(AssetService.Dependencies parts) {
        this.parts = parts;
    }

    /**
     * @param continued recordings that are not interrupted
     */
    void start(Set<AssetId> continued) {
        Set<String> folders = folders();
        parts.repository().adopt(folders);
        List<Asset> lost = new ArrayList<>();
        Set<AssetId> stored = parts.playbackIds().files().stored();
        for (Asset asset : parts.repository().playable()) {
            if (!asset.state().live()) {
                if (folders.contains(asset.id().value()) || stored.contains(asset.id())) {
                    parts.playbackIds().open(asset);
                } else {
                    lost.add(asset);
                }
            }
        }
        List<Asset> unfinished = new ArrayList<>(parts.repository().live());
        unfinished.removeIf(asset -> continued.contains(asset.id()));
        for (Asset asset : parts.repository().missing()) {
            if (folders.contains(asset.id().value()) || stored.contains(asset.id())) {
                unfinished.add(asset);
            }
        }
        unfinished.sort(Comparator.comparing(Asset::createdAt).reversed());
        logForeignFolders(folders);
        if (!lost.isEmpty() || !unfinished.isEmpty()) {
            Thread.ofVirtual().name("asset-recovery").start(() -> recover(unfinished, lost));
        }
    }

    private Set<String> folders() {
        try {
            return parts.folders().names();
        } catch (IOException e) {
            log.warn("cannot list the asset folders: {}", e.toString());
            return Set.of();
        }
    }

    private void logForeignFolders(Set<String> folders) {
        Set<String> foreign = new TreeSet<>(folders);
        parts.repository().all().forEach(id -> foreign.remove(id.value()));
        parts.repository().leftovers(Integer.MAX_VALUE).forEach(id -> foreign.remove(id.value()));
        foreign.removeIf(this::isCopyRemoved);
        if (!foreign.isEmpty()) {
            log.warn(
                    "{} folders belong to no asset and are kept, for example {}",
                    foreign.size(),
                    foreign.stream().limit(NAMED).toList());
        }
    }

    /** Files from the store, of an asset that was deleted while this server was stopped. */
    private boolean isCopyRemoved(String folder) {
        if (!AssetId.isSafe(folder) || !parts.folders().isCopy(new AssetId(folder))) {
            return false;
        }
        try {
            FolderTree.remove(parts.folders().of(new AssetId(folder)));
            log.info("asset={} was deleted, its copy is removed", folder);
            return true;
        } catch (IOException e) {
            log.warn("asset={} cannot remove its copy: {}", folder, e.toString());
            return false;
        }
    }

    private void recover(List<Asset> unfinished, List<Asset> lost) {
        try {
            for (Asset asset : unfinished) {
                Asset finished = asset.with(finished(asset));
                log.info(
                        "asset={} was finished: {}, {} ms",
                        asset.id(),
                        finished.state().status().wireName(),
                        finished.state().durationUs() / 1_000);
                store(finished);
            }
            for (Asset asset : lost) {
                log.warn("asset={} has lost its files", asset.id());
                store(asset.with(missing(asset.state())));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private AssetState finished(Asset asset) {
        Path folder = parts.folders().of(asset.id());
        AssetState before = asset.state();
        if (!Files.isDirectory(folder) && !salvaged(asset)) {
            return before.durationUs() > 0
                    ? missing(before)
                    : failed(
                            AssetError.NOTHING_RECORDED,
                            "the server stopped before anything was stored");
        }
        try {
            long durationUs =
                    switch (asset.origin()) {
                        case AssetOrigin.Recorded _ -> recovered(folder).durationUs();
                        // A clip was complete before its files were lost.
                        case AssetOrigin.Cut _, AssetOrigin.Joined _ -> before.durationUs();
                    };
            if (durationUs == 0) {
                return failed(
                        AssetError.NOTHING_RECORDED,
                        "the server stopped before anything was stored");
            }
            return AssetState.finished(
                    durationUs,
                    parts.folders().sizeBytes(asset.id()),
                    withoutMissing(before.errors()),
                    before.finishedAt().orElseGet(parts.clock()::instant));
        } catch (IOException | RuntimeException e) {
            log.warn("asset={} cannot be read", asset.id(), e);
            return failed(AssetError.UNREADABLE, "its files could not be read: " + e.getMessage());
        }
    }

    /** Files of a lost disk, as far as they were stored elsewhere. */
    private boolean salvaged(Asset asset) {
        try {
            return parts.playbackIds().files().salvage(asset.id());
        } catch (IOException e) {
            log.warn("asset={} its files cannot be brought back: {}", asset.id(), e.toString());
            return false;
        }
    }

    /** On a full disk the index from the recording is used. */
    private static Recording recovered(Path folder) throws IOException {
        try {
            return Recording.recover(folder);
        } catch (IOException e) {
            log.warn("{}: its index was not rebuilt: {}", folder.getFileName(), e.toString());
            return Recording.load(folder);
        }
    }

    private AssetState failed(String type, String message) {
        return AssetState.failed(List.of(new AssetError(type, message)), parts.clock().instant());
    }

    /** Errored, but with its other data, for a start that finds its files again. */
    private AssetState missing(AssetState before) {
        List<AssetError> errors = new ArrayList<>(withoutMissing(before.errors()));
        errors.add(
                new AssetError(
                        AssetError.FILES_MISSING, "its files were not there at the last start"));
        return new AssetState(
                AssetStatus.ERRORED,
                /* live= */ false,
                before.durationUs(),
                before.sizeBytes(),
                before.progress(),
                errors,
                before.finishedAt());
    }

    private static List<AssetError> withoutMissing(List<AssetError> errors) {
        return errors.stream().filter(e -> !e.type().equals(AssetError.FILES_MISSING)).toList();
    }

    /** Tries a failing database again until the server stops. */
    private void store(Asset asset) throws InterruptedException {
        while (!updated(asset)) {
            if (parts.stopping().await(parts.pause().toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        }
    }

    private boolean updated(Asset asset) {
        try {
            boolean _ = parts.store(asset);
            return true;
        } catch (RuntimeException e) {
            log.warn("asset={} is not stored, will be tried again: {}", asset.id(), e.getMessage());
            return false;
        }
    }
}
