package touchline.api.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetState;
import touchline.api.domain.AssetStatus;
import touchline.packager.delivery.PlaybackDecision;
import touchline.packager.delivery.PlaybackDecision.Live;
import touchline.packager.delivery.PlaybackDecision.Refused;
import touchline.packager.delivery.PlaybackRequest;
import touchline.packager.delivery.PlaybackRequest.Resource;
import touchline.packager.hls.LivePlayback;
import touchline.packager.hls.LivePlayback.PlaylistKind;

final class AssetPlaybackTest {
    private static final AssetState GROWING =
            new AssetState(
                    AssetStatus.READY,
                    /* live= */ true,
                    4_000_000,
                    1_000,
                    OptionalDouble.empty(),
                    List.of(),
                    Optional.empty());

    @TempDir private Path root;

    private final ShownSession window = new ShownSession("ses_1");
    private AssetRoom room;
    private AssetPlaybackIds ids;
    private AssetPlayback playback;

    @BeforeEach
    void open() {
        room = new AssetRoom(root);
        ids = new AssetPlaybackIds(room.folders);
        playback =
                new AssetPlayback(
                        ids,
                        id ->
                                Optional.<LivePlayback>of(window)
                                        .filter(each -> each.session().equals(id)));
    }

    @AfterEach
    void close() {
        room.close();
    }

    private CompletableFuture<PlaybackDecision> ask(Asset asset, Resource resource) {
        return playback.shown(
                        new PlaybackRequest(
                                asset.playbackIds().getFirst().id(),
                                resource,
                                Optional.empty(),
                                Optional.empty(),
                                InetAddress.getLoopbackAddress(),
                                Optional.empty()),
                        /* restricted= */ true,
                        Optional.of("grant"))
                .toCompletableFuture();
    }

    @Test
    void growing_isTheSessionFromItsStart() {
        Asset asset = room.stored(GROWING);
        ids.open(asset);
        window.listed = Optional.of("#EXTM3U");

        Live shown = assertInstanceOf(Live.class, ask(asset, Resource.MULTIVARIANT).join());

        assertTrue(shown.running() && shown.restricted());
        assertEquals(Optional.of("grant"), shown.grant());
        assertEquals(window.session(), shown.sessions().getFirst().session());
        for (PlaylistKind kind : PlaylistKind.values()) {
            assertEquals(
                    Optional.empty(),
                    shown.sessions().getFirst().mediaPlaylist(kind).toCompletableFuture().join());
        }
        assertEquals(
                List.of(PlaylistKind.FULL, PlaylistKind.FULL, PlaylistKind.FULL), window.asked);
        shown.sessions().getFirst().close();
        assertEquals(false, window.closed, "it is not the asset's to close");
    }

    @Test
    void growing_mp4_comesLater() {
        Asset asset = room.stored(GROWING);
        ids.open(asset);

        Refused refused = assertInstanceOf(Refused.class, ask(asset, Resource.MP4).join());

        assertEquals(404, refused.status());
        assertEquals(40401, refused.code());
        assertEquals(OptionalInt.of(5), refused.retryAfterSeconds());
    }

    @Test
    void finished_filesGone_isNotFoundAndNotTheWindow() {
        Asset asset = room.stored(AssetRoom.finished(1_000_000));
        ids.open(asset);
        window.listed = Optional.of("#EXTM3U");

        for (Resource resource : Resource.values()) {
            assertEquals(Refused.NOT_FOUND, ask(asset, resource).join());
        }
    }

    @Test
    void growing_sessionEndedOrGone_isReadFromTheDisk() {
        Asset asset = room.stored(GROWING);
        ids.open(asset);

        // The window is there, but names no playlist any more; and nothing lies on this disk.
        assertEquals(Refused.NOT_FOUND, ask(asset, Resource.MULTIVARIANT).join());
        assertInstanceOf(Live.class, ask(asset, Resource.MEDIA).join());
    }

    @Test
    void notPlayableOrDeleted_isNotFound() {
        Asset asset = room.stored(GROWING);
        assertEquals(Refused.NOT_FOUND, ask(asset, Resource.MEDIA).join());
        ids.open(asset);
        ids.close(asset);
        assertEquals(Refused.NOT_FOUND, ask(asset, Resource.MEDIA).join());
    }
}
