package touchline.api.asset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import touchline.api.db.AssetListing;
import touchline.api.db.AssetRepository;
import touchline.api.db.AssetRepository.Deletion;
import touchline.api.db.Epoch;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.StreamDefinition;
import touchline.media.SessionId;
import touchline.media.concurrent.LogContext;
import touchline.packager.record.Recording;

/**
 * All assets. Keeps rows, folders, playback ids and running recordings consistent. Blocks; any
 * thread.
 *
 * <p>Order of changes: an asset's ids are opened before its row is playable, and closed after its
 * row is deleted. Its files are removed last, from a list in the database: after a crash the next
 * start removes them.
 */
public final class AssetService implements AutoCloseable {
    private static final Duration STORE_EVERY = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Dependencies dependencies;
    private final AssetRemover remover;
    private final AssetRecovery recovery;
    private final ConcurrentHashMap<AssetId, RecordingAsset> running = new ConcurrentHashMap<>();
    private volatile Runnable recordingsChanged = () -> {};

    /**
     * Dependencies of the classes of assets.
     *
     * @param storeEvery how often a running asset's duration is stored
     * @param pause before the next try after a database failure
     * @param stopping counted down when the server stops: no further tries then
     */
    record Dependencies(
            AssetRepository repository,
            AssetFolders folders,
            AssetPlaybackIds playbackIds,
            InstantSource clock,
            Duration storeEvery,
            Duration pause,
            CountDownLatch stopping) {
        /** Prepares MP4s. */
        Mp4Preparation mp4() {
            return new Mp4Preparation(folders, playbackIds.files());
        }

        /** Stores an asset's state and shows it to viewers; false if it was deleted meanwhile. */
        boolean store(Asset asset) {
            return store(asset, () -> {});
        }

        /**
         * The same with a change of other rows.
         *
         * @param with called in the transaction
         */
        boolean store(Asset asset, Runnable with) {
            // Opened first: once its row is stored it may be deleted, which closes it.
            if (asset.isPlayable()) {
                playbackIds.open(asset);
            }
            boolean found = repository.update(asset.id(), asset.state(), with);
            if (!found) {
                playbackIds.close(asset);
            }
            return found;
        }
    }

    /**
     * @param files brings back what is not on this disk
     */
    public AssetService(
            AssetRepository repository,
            AssetFolders folders,
            AssetFiles files,
            InstantSource clock) {
        this(
                new Dependencies(
                        repository,
                        folders,
                        new AssetPlaybackIds(folders, files),
                        clock,
                        STORE_EVERY,
                        PAUSE,
                        new CountDownLatch(1)));
    }

    AssetService(Dependencies dependencies) {
        this.dependencies = dependencies;
        this.remover = new AssetRemover(dependencies, this::isInUse);
        this.recovery = new AssetRecovery(dependencies);
        dependencies.playbackIds().uses().whenUnused(remover::wake);
    }

    /**
     * Recovers the assets of an earlier process. Playable ones are open when this returns.
     * Interrupted ones are finished later. Called once, before the first publisher is admitted.
     */
    public void start() {
        start(Set.of());
    }

    /**
     * The same, without recordings that their sessions continue.
     *
     * @param continued call {@link #reopen} for each of them
     */
    public void start(Set<AssetId> continued) {
        recovery.start(continued);
        remover.start();
    }

    /** Maps playback ids to assets. */
    public AssetPlaybackIds playbackIds() {
        return dependencies.playbackIds();
    }

    public AssetFolders folders() {
        return dependencies.folders();
    }

    /**
     * Begins the recording of a session.
     *
     * @return receives the recorder's progress; the caller closes it after the recorder
     */
    public RecordingAsset begin(StreamDefinition stream, SessionId session) {
        RecordingAsset recorded =
                recorded(Asset.recording(stream, session, dependencies.clock().instant()));
        recorded.begin();
        return recorded;
    }

    /**
     * Begins another asset of a session, after a gap. Does not block; otherwise as {@link #begin}.
     */
    public RecordingAsset resume(StreamDefinition stream, SessionId session) {
        RecordingAsset recorded =
                recorded(Asset.recordingAgain(stream, session, dependencies.clock().instant()));
        recorded.beginSoon();
        return recorded;
    }

    /**
     * Continues the recording of a session after a planned stop of the server; otherwise as {@link
     * #begin}. Empty if it is not being recorded any more.
     */
    public Optional<RecordingAsset> reopen(AssetId id) {
        return dependencies
                .repository()
                .find(id)
                .filter(asset -> asset.state().live())
                .map(this::reopened);
    }

    /**
     * The recording of a session that this node has taken over from another one. Empty where that
     * node alone has its files.
     *
     * @param epoch under which this node owns the stream
     */
    public Optional<RecordingTakeover> takeOver(AssetId id, SessionId session, Epoch epoch) {
        return files().sharesRecordings()
                ? Optional.of(
                        new RecordingTakeover(id, session, epoch, dependencies, this::reopened))
                : Optional.empty();
    }

    /**
     * Leaves a recording, whose recorder is suspended, to the node that goes on with its session.
     * Waits for some seconds until it is stored.
     */
    public void giveUp(AssetId id) {
        files().flush(id);
        Thread.ofVirtual()
                .name("given-up-" + id)
                .start(LogContext.carried(() -> recovery.givenUp(id)));
    }

    private RecordingAsset reopened(Asset asset) {
        RecordingAsset recorded = recorded(asset);
        recorded.reopen();
        return recorded;
    }

    /**
     * Finishes a recording of this server that nothing records any more, from what was stored while
     * it ran. Blocks.
     *
     * @throws IOException if that cannot be read now
     */
    public void finish(AssetId id) throws IOException {
        Optional<Asset> asset = dependencies.repository().find(id);
        if (asset.isPresent()) {
            recovery.finish(asset.get());
        }
    }

    private RecordingAsset recorded(Asset asset) {
        RecordingAsset recorded =
                new RecordingAsset(
                        asset,
                        dependencies,
                        () -> {
                            running.remove(asset.id());
                            recordingsChanged.run();
                        });
        running.put(asset.id(), recorded);
        recordingsChanged.run();
        return recorded;
    }

    /** Whether a session of this server is being recorded. */
    public boolean isRecording() {
        return !running.isEmpty();
    }

    /**
     * @param listener called when a recording has begun or ended; must not block
     */
    public void whenRecordingsChange(Runnable listener) {
        recordingsChanged = listener;
    }

    /**
     * Stores the progress or the result of a clip's job. A playable clip becomes visible to
     * viewers.
     *
     * @return false if the clip was deleted meanwhile
     */
    public boolean update(Asset clip) {
        return update(clip, () -> {});
    }

    /**
     * The same with a change of other rows.
     *
     * @param with called in the transaction, unless the clip was deleted
     */
    public boolean update(Asset clip, Runnable with) {
        boolean found = dependencies.store(clip, with);
        if (!found || clip.state().finishedAt().isPresent()) {
            // Its source may have been deleted meanwhile.
            remover.wake();
        }
        return found;
    }

    /** Brings back files that are not on this disk. */
    public AssetFiles files() {
        return dependencies.playbackIds().files();
    }

    /** Brings back all files of an asset's recording that this disk lacks. Blocks. */
    public void bringBack(AssetId asset) throws IOException {
        if (!files().isRemote()) {
            return;
        }
        files().ensureHead(asset);
        Path folder = folders().of(asset);
        Set<Path> media = new LinkedHashSet<>();
        for (Recording.Segment segment : Recording.load(folder).segments()) {
            media.add(folder.resolve(segment.fileName()));
        }
        files().ensure(asset, media);
    }

    /** Requests the scaled MP4 of an asset above 1080p. */
    public void wantScaledMp4(AssetId asset) {
        dependencies.playbackIds().renditions().request(asset);
    }

    /** Leases of the files that are read. */
    public AssetLeases uses() {
        return dependencies.playbackIds().uses();
    }

    /** Whether an asset's files must stay: they are read, or a clip of it waits. */
    public boolean isInUse(AssetId asset) {
        return uses().isUsed(asset) || dependencies.repository().isBeingCut(asset);
    }

    /**
     * The node whose disk alone has the files; empty without a cluster, and where any node can
     * bring them back.
     */
    public Optional<String> onlyHomeOf(AssetId asset) {
        return dependencies.repository().onlyHomeOf(asset);
    }

    /**
     * Shows an asset of another node to viewers here, if all its files are in the store.
     *
     * @return whether it is shown
     */
    public boolean openStored(AssetId id) {
        if (!files().isRemote() || !files().isStored(id) || isFormerHome(id)) {
            return false;
        }
        Optional<Asset> asset =
                dependencies
                        .repository()
                        .find(id)
                        .filter(found -> found.isPlayable() && !found.state().live());
        if (asset.isEmpty()) {
            return false;
        }
        playbackIds().open(asset.get());
        // It may have been deleted in between: then its ids were closed before they were opened.
        if (dependencies.repository().find(id).isEmpty()) {
            playbackIds().close(asset.get());
            return false;
        }
        return true;
    }

    /** What this node has recorded of it is not the whole, and is compared with it first. */
    private boolean isFormerHome(AssetId id) {
        return Files.isDirectory(folders().of(id)) && !folders().isCopy(id);
    }

    public Optional<Asset> find(AssetId asset) {
        // Taken first: a recording that ends meanwhile is then read from the database.
        Optional<RecordingAsset> live = Optional.ofNullable(running.get(asset));
        return dependencies
                .repository()
                .find(asset)
                .map(stored -> live.map(RecordingAsset::asset).orElse(stored));
    }

    /** Newest first, stable. */
    public Page<Asset> list(AssetListing listing, PageRequest request) {
        Map<AssetId, RecordingAsset> live = Map.copyOf(running);
        return dependencies.repository().list(listing, request).map(stored -> shown(stored, live));
    }

    private static Asset shown(Asset stored, Map<AssetId, RecordingAsset> live) {
        RecordingAsset recorded = live.get(stored.id());
        return recorded == null ? stored : recorded.asset();
    }

    /** Deletes an asset. New playback requests fail at once; its files are removed soon. */
    public Deletion delete(AssetId id) {
        Optional<Asset> asset = dependencies.repository().find(id);
        Deletion deletion = dependencies.repository().delete(id);
        if (deletion == Deletion.DELETED) {
            asset.ifPresent(dependencies.playbackIds()::close);
            dependencies.playbackIds().renditions().cancel(id);
            remover.addCopy(id);
            remover.wake();
        }
        return deletion;
    }

    /** Another node of a cluster has deleted an asset, or taken one over. */
    public void changedElsewhere(AssetId asset) {
        if (dependencies.repository().find(asset).isEmpty()) {
            dependencies.playbackIds().close(asset);
            dependencies.playbackIds().renditions().cancel(asset);
            remover.addCopy(asset);
            remover.wake();
        } else if (isFormerHome(asset) && !files().isHere(asset)) {
            playbackIds().close(asset);
        }
    }

    /** Removes the files of deleted assets now. */
    public void removeFiles() {
        remover.drain();
    }

    @Override
    public void close() {
        dependencies.stopping().countDown();
        remover.wake();
    }
}
