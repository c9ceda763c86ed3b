package touchline.api.asset;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import touchline.api.db.AssetRepository;
import touchline.api.db.AssetRepository.Deletion;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.StreamDefinition;
import touchline.media.SessionId;
import touchline.media.StreamId;

/**
 * All assets: rows, folders, playback ids and what runs, kept in step. Blocks; any thread.
 *
 * <p>Order of things: an asset's ids are opened before its row says that it is playable and closed
 * after its row is gone; its files go last, by way of a list in the database, so that a server that
 * dies in between removes them at its next start.
 */
public final class AssetService implements AutoCloseable {
    private static final Duration STORE_EVERY = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Dependencies dependencies;
    private final AssetRemover remover;
    private final ConcurrentHashMap<AssetId, RecordingAsset> running = new ConcurrentHashMap<>();

    /**
     * What everything around assets works with.
     *
     * @param storeEvery how often a running asset's duration is stored
     * @param pause before a database that failed is asked again
     * @param stopping counted down when the server stops: nothing is tried again then
     */
    record Dependencies(
            AssetRepository repository,
            AssetFolders folders,
            AssetPlaybackIds playbackIds,
            InstantSource clock,
            Duration storeEvery,
            Duration pause,
            CountDownLatch stopping) {
        /**
         * Stores an asset's state and shows it to viewers; false where it was deleted meanwhile.
         */
        boolean store(Asset asset) {
            // Opened first: from its row on it may be deleted, and is closed behind this.
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
     * Takes up what an earlier process has left: what can be played is opened at once, what was cut
     * off is finished behind this call. To be called once, before a publisher is let in.
     */
    public void start() {
        new AssetRecovery(dependencies).start();
        remover.start();
    }

    /** Who may see what. */
    public AssetPlaybackIds playbackIds() {
        return dependencies.playbackIds();
    }

    public AssetFolders folders() {
        return dependencies.folders();
    }

    /**
     * A session begins to be recorded.
     *
     * @return to be told what is stored; the caller closes it when the recorder is closed
     */
    public RecordingAsset begin(StreamDefinition stream, SessionId session) {
        RecordingAsset recorded =
                recorded(Asset.recording(stream, session, dependencies.clock().instant()));
        recorded.begin();
        return recorded;
    }

    /**
     * A session is recorded again after a gap: another asset. Does not block; otherwise as {@link
     * #begin}.
     */
    public RecordingAsset resume(StreamDefinition stream, SessionId session) {
        RecordingAsset recorded =
                recorded(Asset.recordingAgain(stream, session, dependencies.clock().instant()));
        recorded.beginSoon();
        return recorded;
    }

    private RecordingAsset recorded(Asset asset) {
        RecordingAsset recorded =
                new RecordingAsset(asset, dependencies, () -> running.remove(asset.id()));
        running.put(asset.id(), recorded);
        return recorded;
    }

    /**
     * A clip's job has come on, or to its end: stored, and shown to viewers where it can be played.
     *
     * @return false where the clip was deleted meanwhile
     */
    public boolean update(Asset clip) {
        boolean found = dependencies.store(clip);
        if (!found || clip.state().finishedAt().isPresent()) {
            // Its source may have been deleted meanwhile.
            remover.wake();
        }
        return found;
    }

    /** An asset's frames are above 1080p: its MP4 is to be scaled. */
    public void wantScaledMp4(AssetId asset) {
        dependencies.playbackIds().renditions().want(asset);
    }

    /** Who reads files now. */
    public AssetLeases uses() {
        return dependencies.playbackIds().uses();
    }

    /** Whether an asset's files have to stay: somebody reads them, or waits to cut a clip. */
    public boolean isInUse(AssetId asset) {
        return uses().isUsed(asset) || dependencies.repository().isBeingCut(asset);
    }

    public Optional<Asset> find(AssetId asset) {
        // Taken first: what ends meanwhile is found as the database has it by then.
        Optional<RecordingAsset> live = Optional.ofNullable(running.get(asset));
        return dependencies
                .repository()
                .find(asset)
                .map(stored -> live.map(RecordingAsset::asset).orElse(stored));
    }

    /** Newest first, stable. */
    public Page<Asset> list(PageRequest request) {
        Map<AssetId, RecordingAsset> live = Map.copyOf(running);
        return dependencies.repository().list(request).map(stored -> shown(stored, live));
    }

    /** What was recorded from a stream, and cut from that; newest first, stable. */
    public Page<Asset> list(StreamId stream, PageRequest request) {
        Map<AssetId, RecordingAsset> live = Map.copyOf(running);
        return dependencies.repository().list(stream, request).map(stored -> shown(stored, live));
    }

    private static Asset shown(Asset stored, Map<AssetId, RecordingAsset> live) {
        RecordingAsset recorded = live.get(stored.id());
        return recorded == null ? stored : recorded.asset();
    }

    /** Deletes an asset: nobody can begin to play it any more, and its files go soon. */
    public Deletion delete(AssetId id) {
        Optional<Asset> asset = dependencies.repository().find(id);
        Deletion deletion = dependencies.repository().delete(id);
        if (deletion == Deletion.DELETED) {
            asset.ifPresent(dependencies.playbackIds()::close);
            dependencies.playbackIds().renditions().forget(id);
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
