package touchline.api.asset;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import touchline.api.db.AssetListing;
import touchline.api.db.AssetRepository;
import touchline.api.db.AssetRepository.Deletion;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.StreamDefinition;
import touchline.media.SessionId;

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
    private final ConcurrentHashMap<AssetId, RecordingAsset> running = new ConcurrentHashMap<>();

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
        /** Stores an asset's state and shows it to viewers; false if it was deleted meanwhile. */
        boolean store(Asset asset) {
            // Opened first: once its row is stored it may be deleted, which closes it.
            if (asset.isPlayable()) {
                playbackIds.open(asset);
            }
            boolean found = repository.update(asset.id(), asset.state());
            if (!found) {
                playbackIds.close(asset);
            }
            return found;
        }
    }

    public AssetService(AssetRepository repository, AssetFolders folders, InstantSource clock) {
        this(
                new Dependencies(
                        repository,
                        folders,
                        new AssetPlaybackIds(folders),
                        clock,
                        STORE_EVERY,
                        PAUSE,
                        new CountDownLatch(1)));
    }

    AssetService(Dependencies dependencies) {
        this.dependencies = dependencies;
        this.remover = new AssetRemover(dependencies, this::isInUse);
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
        new AssetRecovery(dependencies).start(continued);
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
                .map(
                        asset -> {
                            RecordingAsset recorded = recorded(asset);
                            recorded.reopen();
                            return recorded;
                        });
    }

    private RecordingAsset recorded(Asset asset) {
        RecordingAsset recorded =
                new RecordingAsset(asset, dependencies, () -> running.remove(asset.id()));
        running.put(asset.id(), recorded);
        return recorded;
    }

    /**
     * Stores the progress or the result of a clip's job. A playable clip becomes visible to
     * viewers.
     *
     * @return false if the clip was deleted meanwhile
     */
    public boolean update(Asset clip) {
        boolean found = dependencies.store(clip);
        if (!found || clip.state().finishedAt().isPresent()) {
            // Its source may have been deleted meanwhile.
            remover.wake();
        }
        return found;
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
            remover.wake();
        }
        return deletion;
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
