package touchline.api.asset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetOrigin;
import touchline.api.domain.Mp4Support;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.PlaybackPolicy;
import touchline.media.SessionId;
import touchline.packager.record.StoredMp4;
import touchline.packager.record.StoredPlayback;

/**
 * Maps playback ids to all playable assets, in memory: a request costs one look-up, for unknown ids
 * too. About 200 bytes an id. Any thread; the next request sees a change.
 */
public final class AssetPlaybackIds {
    /**
     * The asset of an id.
     *
     * @param live whether it is still being recorded; there is no MP4 yet
     * @param folder of this asset only
     * @param element its name in addresses below the playback id: a recording's session, so that a
     *     viewer of the live recording can continue after its end
     * @param joined a clip of several ranges
     */
    public record Playable(
            AssetId asset,
            PlaybackPolicy policy,
            boolean live,
            Mp4Support mp4Support,
            Path folder,
            SessionId element,
            boolean joined) {}

    private final AssetFolders folders;
    private final AssetFiles files;
    private final ConcurrentHashMap<String, Playable> entries = new ConcurrentHashMap<>();
    private final OpenFileCache<StoredPlayback> playbacks = new OpenFileCache<>(this::opened);
    private final OpenFileCache<StoredMp4> movies =
            new OpenFileCache<>(asset -> StoredMp4.open(asset.folder()));

    private final OpenFileCache<StoredMp4> scaledMovies = new OpenFileCache<>(this::openedScaled);
    private final AssetLeases uses = new AssetLeases();

    /** Running recordings that another node has begun: their sessions' windows lack the start. */
    private final Set<AssetId> continued = ConcurrentHashMap.newKeySet();

    /** Set once, before anything is served. */
    private volatile Renditions renditions = Renditions.NONE;

    /**
     * @param files brings back what is not on this disk
     */
    public AssetPlaybackIds(AssetFolders folders, AssetFiles files) {
        this.folders = folders;
        this.files = files;
    }

    private StoredPlayback opened(Playable asset) throws IOException {
        return StoredPlayback.open(
                asset.element(),
                asset.folder(),
                !asset.live(),
                wanted -> files.ensure(asset.asset(), wanted));
    }

    /** The scaled copy may have been made by another node. */
    private StoredMp4 openedScaled(Playable asset) throws IOException {
        try {
            return ScaledMovie.open(asset.folder());
        } catch (ScaledMovie.NotYetException _) {
            files.ensureScaled(asset.asset());
            return ScaledMovie.open(asset.folder());
        }
    }

    /** Brings back what is not on this disk. */
    AssetFiles files() {
        return files;
    }

    /** Empty if no playable asset has the id. Does not block. */
    public Optional<Playable> find(String playbackId) {
        return Optional.ofNullable(entries.get(playbackId));
    }

    /** Recordings and clips, opened. */
    OpenFileCache<StoredPlayback> playbacks() {
        return playbacks;
    }

    /** The MP4s of finished assets. */
    OpenFileCache<StoredMp4> movies() {
        return movies;
    }

    /** The finished scaled MP4s of assets above 1080p. */
    OpenFileCache<StoredMp4> scaledMovies() {
        return scaledMovies;
    }

    /** Creates the scaled MP4s. */
    Renditions renditions() {
        return renditions;
    }

    /** Sets the creator of scaled MP4s. Called before the first request. */
    public void makeScaledBy(Renditions maker) {
        renditions = maker;
    }

    /** Leases of the files that are read. */
    AssetLeases uses() {
        return uses;
    }

    /** Whether a running recording was begun by another node. Does not block. */
    boolean isContinued(AssetId asset) {
        return continued.contains(asset);
    }

    /** Opens a playable asset with its current state. */
    void open(Asset asset) {
        if (asset.state().live() && folders.isContinued(asset.id())) {
            continued.add(asset.id());
        }
        asset.playbackIds().forEach(id -> entries.put(id.id(), playable(asset, id)));
    }

    /** Applies the asset's new state; no effect if it is closed. */
    void refresh(Asset asset) {
        if (!asset.state().live()) {
            continued.remove(asset.id());
        }
        asset.playbackIds()
                .forEach(id -> entries.computeIfPresent(id.id(), (_, _) -> playable(asset, id)));
    }

    /** Closes an asset: it can no longer be played. */
    void close(Asset asset) {
        asset.playbackIds().forEach(id -> entries.remove(id.id()));
        closeFiles(asset.id());
    }

    /** The same for one whose row is not known. Looks at all of them. */
    void close(AssetId asset) {
        entries.values().removeIf(each -> each.asset().equals(asset));
        closeFiles(asset);
    }

    private void closeFiles(AssetId asset) {
        continued.remove(asset);
        playbacks.remove(asset);
        movies.remove(asset);
        scaledMovies.remove(asset);
    }

    /** After a gap the session's window contains more than the asset. */
    private static SessionId element(Asset asset) {
        return asset.origin() instanceof AssetOrigin.Recorded(var session, var fromStart)
                        && fromStart
                ? session
                : new SessionId(asset.id().value());
    }

    private Playable playable(Asset asset, PlaybackId id) {
        return new Playable(
                asset.id(),
                id.policy(),
                asset.state().live(),
                asset.labels().mp4Support(),
                folders.of(asset.id()),
                element(asset),
                asset.origin() instanceof AssetOrigin.Joined);
    }
}
