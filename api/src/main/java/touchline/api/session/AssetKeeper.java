package touchline.api.session;

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
public final class AssetKeeper implements AutoCloseable {
    private static final Duration STORE_EVERY = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Parts parts;
    private final AssetRemover remover;
    private final ConcurrentHashMap<AssetId, RecordedAsset> running = new ConcurrentHashMap<>();

    /**
     * What everything around assets works with.
     *
     * @param storeEvery how often a running asset's duration is stored
     * @param pause before a database that failed is asked again
     * @param stopping counted down when the server stops: nothing is tried again then
     */
    record Parts(
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

    public AssetKeeper(AssetRepository repository, AssetFolders folders, InstantSource clock) {
        this(
                new Parts(
                        repository,
                        folders,
                        new AssetPlaybackIds(folders),
                        clock,
                        STORE_EVERY,
                        PAUSE,
                        new CountDownLatch(1)));
    }

    AssetKeeper(Parts parts) {
        this.parts = parts;
        this.remover = new AssetRemover(parts, this::isInUse);
        parts.playbackIds().uses().whenUnused(remover::wake);
    }

    /**
     * Takes up what an earlier process has left: what can be played is opened at once, what was cut
     * off is finished behind this call. To be called once, before a publisher is let in.
     */
    public void start() {
        new AssetRecovery(parts).start();
        remover.start();
    }

    /** Who may see what. */
    public AssetPlaybackIds playbackIds() {
        return parts.playbackIds();
    }

    public AssetFolders folders() {
        return parts.folders();
    }

    /**
     * A session begins to be recorded.
     *
     * @return to be told what is stored; the caller closes it when the recorder is closed
     */
    public RecordedAsset begin(StreamDefinition stream, SessionId session) {
        RecordedAsset recorded =
                recorded(Asset.recording(stream, session, parts.clock().instant()));
        recorded.begin();
        return recorded;
    }

    /**
     * A session is recorded again after a gap: another asset. Does not block; otherwise as {@link
     * #begin}.
     */
    public RecordedAsset resume(StreamDefinition stream, SessionId session) {
        RecordedAsset recorded =
                recorded(Asset.recordingAgain(stream, session, parts.clock().instant()));
        recorded.beginSoon();
        return recorded;
    }

    private RecordedAsset recorded(Asset asset) {
        RecordedAsset recorded = new RecordedAsset(asset, parts, () -> running.remove(asset.id()));
        running.put(asset.id(), recorded);
        return recorded;
    }

    /**
     * A clip's job has come on, or to its end: stored, and shown to viewers where it can be played.
     *
     * @return false where the clip was deleted meanwhile
     */
    public boolean update(Asset clip) {
        boolean found = parts.store(clip);
        if (!found || clip.state().finishedAt().isPresent()) {
            // Its source may have been deleted meanwhile.
            remover.wake();
        }
        return found;
    }

    /** An asset's pictures are above 1080p: its MP4 is to be scaled. */
    public void wantScaledMp4(AssetId asset) {
        parts.playbackIds().renditions().want(asset);
    }

    /** Who reads files now. */
    public AssetUses uses() {
        return parts.playbackIds().uses();
    }

    /** Whether an asset's files have to stay: somebody reads them, or waits to cut a clip. */
    public boolean isInUse(AssetId asset) {
        return uses().isUsed(asset) || parts.repository().isBeingCut(asset);
    }

    public Optional<Asset> find(AssetId asset) {
        // Taken first: what ends meanwhile is found as the database has it by then.
        Optional<RecordedAsset> live = Optional.ofNullable(running.get(asset));
        return parts.repository()
                .find(asset)
                .map(stored -> live.map(RecordedAsset::asset).orElse(stored));
    }

    /** Newest first, stable. */
    public Page<Asset> list(PageRequest request) {
        Map<AssetId, RecordedAsset> live = Map.copyOf(running);
        return parts.repository().list(request).map(stored -> shown(stored, live));
    }

    /** What was recorded from a stream, and cut from that; newest first, stable. */
    public Page<Asset> list(StreamId stream, PageRequest request) {
        Map<AssetId, RecordedAsset> live = Map.copyOf(running);
        return parts.repository().list(stream, request).map(stored -> shown(stored, live));
    }

    private static Asset shown(Asset stored, Map<AssetId, RecordedAsset> live) {
        RecordedAsset recorded = live.get(stored.id());
        return recorded == null ? stored : recorded.asset();
    }

    /** Deletes an asset: nobody can begin to play it any more, and its files go soon. */
    public Deletion delete(AssetId id) {
        Optional<Asset> asset = parts.repository().find(id);
        Deletion deletion = parts.repository().delete(id);
        if (deletion == Deletion.DELETED) {
            asset.ifPresent(parts.playbackIds()::close);
            parts.playbackIds().renditions().forget(id);
            remover.wake();
        }
        return deletion;
    }

    /** Removes the files of deleted assets now. */
    void removeFiles() {
        remover.drain();
    }

    @Override
    public void close() {
        parts.stopping().countDown();
        remover.wake();
    }
}
