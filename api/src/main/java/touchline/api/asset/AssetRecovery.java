package touchline.api.asset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import touchline.packager.hls.MediaAwayException;
import touchline.packager.record.ContinuedRecording;
import touchline.packager.record.Recording;

/**
 * Recovers assets at the start of the server. Playable assets are opened at once. The rest follows
 * on a virtual thread, newest first. Recordings of a crashed server are finished from their files.
 * Assets with missing files become errored until a later start finds the files, so an unmounted
 * disk loses nothing. A recording whose folder is lost is made from what was stored elsewhere while
 * it ran; while that place does not answer, it is tried again. Folders without a row may be
 * foreign: they are logged once and kept. A folder of a recording that another node has finished
 * meanwhile is compared with that ({@link FormerRecordings}).
 */
final class AssetRecovery {
    private static final Logger log = LoggerFactory.getLogger(AssetRecovery.class);
    private static final int NAMED = 5;
    private static final Duration TRY_AGAIN = Duration.ofSeconds(10);

    private final AssetService.Dependencies parts;
    private final Mp4Preparation mp4;

    AssetRecovery(AssetService.Dependencies parts) {
        this.parts = parts;
        this.mp4 = parts.mp4();
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
                if (hasFiles(asset.id(), folders) || stored.contains(asset.id())) {
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
        Map<AssetId, Boolean> elsewhere = parts.repository().elsewhere(folders);
        if (!lost.isEmpty() || !unfinished.isEmpty() || !elsewhere.isEmpty()) {
            unfinished.addAll(lost);
            Thread.ofVirtual()
                    .name("asset-recovery")
                    .start(() -> recover(unfinished, new FormerRecordings(parts, elsewhere)));
        }
    }

    /** A copy without an index is one that was being made when its server stopped. */
    private boolean hasFiles(AssetId asset, Set<String> folders) {
        return folders.contains(asset.value())
                && (!parts.folders().isCopy(asset)
                        || Files.exists(parts.folders().of(asset).resolve(Recording.INDEX)));
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

    private void recover(List<Asset> unfinished, FormerRecordings former) {
        List<Asset> left = unfinished;
        try {
            do {
                left = leftOf(left);
                former.look();
            } while ((!left.isEmpty() || !former.isDone())
                    && !parts.stopping().await(TRY_AGAIN.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * A recording that this node has given up with its session. Where no other node goes on with
     * it, it is finished here; otherwise its folder is compared with it at its end, as after a
     * restart. Returns when that is done.
     */
    void givenUp(AssetId id) {
        boolean done = false;
        FormerRecordings former = new FormerRecordings(parts, Map.of(id, false));
        try {
            while (!done && !parts.stopping().await(TRY_AGAIN.toMillis(), TimeUnit.MILLISECONDS)) {
                done = isSettled(id, former);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isSettled(AssetId id, FormerRecordings former) throws InterruptedException {
        try {
            AssetFiles files = parts.playbackIds().files();
            if (!files.isHere(id)) {
                former.look();
                return former.isDone();
            }
            Optional<Asset> asset = parts.repository().find(id).filter(it -> it.state().live());
            return asset.isEmpty() || (files.isLeft(id) && leftOf(List.of(asset.get())).isEmpty());
        } catch (RuntimeException e) {
            log.warn("asset={} is not finished yet: {}", id, e.getMessage());
            return false;
        }
    }

    /** Those that cannot be finished now. */
    private List<Asset> leftOf(List<Asset> unfinished) throws InterruptedException {
        List<Asset> left = new ArrayList<>();
        for (Asset asset : unfinished) {
            try {
                AssetState state = finished(asset);
                log.info(
                        "asset={} was finished: {}, {} ms",
                        asset.id(),
                        state.status().wireName(),
                        state.durationUs() / 1_000);
                store(asset.with(state));
            } catch (MediaAwayException e) {
                log.warn("asset={} is not finished yet: {}", asset.id(), e.getMessage());
                left.add(asset);
            }
        }
        return left;
    }

    /**
     * Finishes one recording, whose folder is lost.
     *
     * @throws IOException if what is stored of it cannot be read now
     */
    void finish(Asset asset) throws IOException {
        AssetState state = rebuilt(asset).orElseGet(() -> withoutFiles(asset.state()));
        if (parts.store(asset.with(state)) && mp4.isAboveCap(asset)) {
            parts.playbackIds().renditions().request(asset.id());
        }
    }

    private AssetState finished(Asset asset) throws MediaAwayException {
        Path folder = parts.folders().of(asset.id());
        AssetState before = asset.state();
        try {
            if (!Files.isDirectory(folder) || isUnfinishedCopy(asset)) {
                return rebuilt(asset).orElseGet(() -> withoutFiles(before));
            }
            if (parts.folders().isContinued(asset.id())) {
                return continued(asset, ContinuedRecording.recover(folder));
            }
            long durationUs =
                    switch (asset.origin()) {
                        case AssetOrigin.Recorded _ -> recovered(folder).durationUs();
                        // A clip was complete before its files were lost.
                        case AssetOrigin.Cut _, AssetOrigin.Joined _ -> before.durationUs();
                    };
            if (durationUs == 0) {
                return withoutFiles(AssetState.RECORDING);
            }
            return finished(before, durationUs, parts.folders().sizeBytes(asset.id()));
        } catch (MediaAwayException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            log.warn("asset={} cannot be read", asset.id(), e);
            return failed(AssetError.UNREADABLE, "its files could not be read: " + e.getMessage());
        }
    }

    /** Files of before are in the store. */
    private AssetState continued(Asset asset, Recording recovered) throws IOException {
        return finished(
                asset.state(),
                recovered.durationUs(),
                ContinuedRecording.sizeBytes(recovered, parts.folders().of(asset.id())));
    }

    private AssetState finished(AssetState before, long durationUs, long sizeBytes) {
        return AssetState.finished(
                durationUs,
                sizeBytes,
                withoutMissing(before.errors()),
                before.finishedAt().orElseGet(parts.clock()::instant));
    }

    /** What was evicted of a complete asset comes back when it is asked for. */
    private boolean isUnfinishedCopy(Asset asset) {
        return asset.origin() instanceof AssetOrigin.Recorded
                && parts.folders().isCopy(asset.id())
                && !parts.playbackIds().files().isStored(asset.id());
    }

    /** Of a lost disk, as far as it was stored elsewhere; empty if that is nothing. */
    private Optional<AssetState> rebuilt(Asset asset) throws IOException {
        AssetState before = asset.state();
        AssetFiles files = parts.playbackIds().files();
        if (files.isStored(asset.id())) {
            return Optional.of(finished(before, before.durationUs(), before.sizeBytes()));
        }
        if (!(asset.origin() instanceof AssetOrigin.Recorded)) {
            return Optional.empty();
        }
        Optional<AssetFiles.Rebuilt> rebuilt = files.rebuild(asset.id());
        if (rebuilt.isPresent()) {
            boolean _ = mp4.prepare(asset);
        }
        return rebuilt.map(it -> finished(before, it.durationUs(), it.sizeBytes()));
    }

    private AssetState withoutFiles(AssetState before) {
        return before.durationUs() > 0
                ? missing(before)
                : failed(
                        AssetError.NOTHING_RECORDED,
                        "the server stopped before anything was stored");
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
