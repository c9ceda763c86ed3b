package touchline.api.asset;

import java.nio.file.Path;
import java.util.Optional;
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
 * Which asset lies behind a playback id: all that can be played, held in memory, so that a request
 * costs one look-up and an unknown id no more. Some 200 bytes an id. Any thread; a change is seen
 * by the next request.
 */
public final class AssetPlaybackIds {
    /**
     * What an id shows.
     *
     * @param live it is being recorded: more will come, and there is no MP4 yet
     * @param folder of the asset alone
     * @param element stands for it in addresses below the playback id: a recording's session, so
     *     that who watches it grow can go on behind its end
     */
    public record Playable(
            AssetId asset,
            PlaybackPolicy policy,
            boolean live,
            Mp4Support mp4Support,
            Path folder,
            SessionId element) {}

    private final AssetFolders folders;
    private final ConcurrentHashMap<String, Playable> entries = new ConcurrentHashMap<>();
    private final OpenFileCache<StoredPlayback> playbacks =
            new OpenFileCache<>(
                    asset -> StoredPlayback.open(asset.element(), asset.folder(), !asset.live()));
    private final OpenFileCache<StoredMp4> movies =
            new OpenFileCache<>(asset -> StoredMp4.open(asset.folder()));

    private final OpenFileCache<StoredMp4> scaledMovies =
            new OpenFileCache<>(asset -> ScaledMovie.open(asset.folder()));
    private final AssetLeases uses = new AssetLeases();

    /** Set once, before anything is served. */
    private volatile Renditions renditions = Renditions.NONE;

    public AssetPlaybackIds(AssetFolders folders) {
        this.folders = folders;
    }

    /** Empty where the id is none of an asset, or its asset cannot be played. Does not block. */
    public Optional<Playable> find(String playbackId) {
        return Optional.ofNullable(entries.get(playbackId));
    }

    /** Recordings and clips, opened. */
    OpenFileCache<StoredPlayback> playbacks() {
        return playbacks;
    }

    /** The MP4s of those that are finished. */
    OpenFileCache<StoredMp4> movies() {
        return movies;
    }

    /** The scaled MP4s of those above 1080p, as far as they are there. */
    OpenFileCache<StoredMp4> scaledMovies() {
        return scaledMovies;
    }

    /** Who makes them. */
    Renditions renditions() {
        return renditions;
    }

    /** Says who makes scaled MP4s; before anything is served. */
    public void makeScaledBy(Renditions maker) {
        renditions = maker;
    }

    /** Whose files are read. */
    AssetLeases uses() {
        return uses;
    }

    /** The asset can be played, in the state that it has. */
    void open(Asset asset) {
        asset.playbackIds().forEach(id -> entries.put(id.id(), playable(asset, id)));
    }

    /** The asset's state has changed; without effect where it has been closed since. */
    void refresh(Asset asset) {
        asset.playbackIds()
                .forEach(id -> entries.computeIfPresent(id.id(), (_, _) -> playable(asset, id)));
    }

    /** The asset can no longer be played. */
    void close(Asset asset) {
        asset.playbackIds().forEach(id -> entries.remove(id.id()));
        playbacks.forget(asset.id());
        movies.forget(asset.id());
        scaledMovies.forget(asset.id());
    }

    /** Behind a gap the session's window shows more than the asset does. */
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
                element(asset));
    }
}
