package touchline.api.asset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetState;
import touchline.api.domain.AssetStatus;
import touchline.api.scoreboard.ShownSession;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AvcConfig;
import touchline.packager.delivery.PlaybackDecision;
import touchline.packager.delivery.PlaybackDecision.Live;
import touchline.packager.delivery.PlaybackDecision.Refused;
import touchline.packager.delivery.PlaybackRequest;
import touchline.packager.delivery.PlaybackRequest.Resource;
import touchline.packager.hls.LivePlayback;
import touchline.packager.hls.LivePlayback.PlaylistKind;
import touchline.packager.isobmff.InitSegment;
import touchline.packager.record.Recording;
import touchline.packager.thumbnail.Thumbnails;

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

    /** Of 720p: what the sample entry holds, whatever size the tracks say. */
    private static final String AVC =
            "0164001fffe1001a6764001facd9405005bb0110000003001000000303c0f183196001000468ef8fcb";

    @TempDir private Path root;

    private final ShownSession window = new ShownSession("ses_1");
    private AssetFixture room;
    private AssetPlaybackIds ids;
    private AssetPlayback playback;

    @BeforeEach
    void open() {
        room = new AssetFixture(root);
        ids = new AssetPlaybackIds(room.folders, AssetFiles.LOCAL);
        playback =
                new AssetPlayback(
                        ids,
                        id ->
                                Optional.<LivePlayback>of(window)
                                        .filter(each -> each.session().equals(id)),
                        new FakeChapters());
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
    void thumbnail_ofAnAsset_isItsFirstAndSettledWhenItIsFinished() throws IOException {
        Asset growing = room.stored(GROWING);
        ids.open(growing);
        window.listed = Optional.of("#EXTM3U");

        PlaybackDecision.Thumbnail early =
                assertInstanceOf(
                        PlaybackDecision.Thumbnail.class, ask(growing, Resource.THUMBNAIL).join());
        assertEquals(Thumbnails.ByDefault.FIRST, early.byDefault());
        assertTrue(early.restricted() && !early.settled());

        PlaybackDecision.Thumbnail late =
                assertInstanceOf(
                        PlaybackDecision.Thumbnail.class,
                        ask(recorded(1920, 1080), Resource.THUMBNAIL).join());
        assertTrue(late.restricted() && late.settled());
        assertEquals("ses_1", late.playback().session().value());
    }

    @Test
    void chapters_areTheAssets_whileItGrowsToo() {
        Asset asset = room.stored(GROWING);
        ids.open(asset);

        assertEquals(
                new PlaybackDecision.Chapters("WEBVTT of " + asset.id(), /* restricted= */ true),
                ask(asset, Resource.CHAPTERS).join());
    }

    @Test
    void growing_mp4_comesLater() {
        Asset asset = room.stored(GROWING);
        ids.open(asset);

        Refused refused = assertInstanceOf(Refused.class, ask(asset, Resource.MP4).join());

        assertEquals(404, refused.status());
        assertEquals(40401, refused.code());
        assertEquals(OptionalInt.of(60), refused.retryAfterSeconds());
    }

    @Test
    void finished_filesGone_isNotFoundAndNotTheWindow() {
        Asset asset = room.stored(AssetFixture.finished(1_000_000));
        ids.open(asset);
        window.listed = Optional.of("#EXTM3U");

        // Chapters are not in files.
        for (Resource resource : EnumSet.complementOf(EnumSet.of(Resource.CHAPTERS))) {
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

    /** A finished recording of one segment; its media is never read. */
    private Asset recorded(int width, int height) throws IOException {
        Asset asset = room.stored(AssetFixture.finished(4_000_000));
        Path folder = Files.createDirectory(room.folders.of(asset.id()));
        AvcConfig config =
                new AvcConfig(
                        MemorySegment.ofArray(HexFormat.of().parseHex(AVC)),
                        width,
                        height,
                        4,
                        30,
                        "avc1.64001f");
        Track video = new Track(Track.VIDEO_ID, Timescale.VIDEO, new CodecConfig.Avc(config));
        Files.write(
                folder.resolve("init0.mp4"), InitSegment.write(List.of(video), AssetFixture.NOW));
        Recording.Segment segment =
                new Recording.Segment(
                        7, 0, new Recording.Place(7, 24, 1_000), 0, 4_000_000, /* parts= */ 1);
        new Recording(
                        List.of(new Recording.Init(0, 0, AssetFixture.NOW)),
                        List.of(segment),
                        /* ended= */ true)
                .save(folder);
        ids.open(asset);
        return asset;
    }

    @Test
    void finished_isReadFromTheDiskUnderItsSessionsName() throws IOException {
        Asset asset = recorded(1920, 1080);

        Live shown = assertInstanceOf(Live.class, ask(asset, Resource.MEDIA).join());

        assertEquals("ses_1", shown.sessions().getFirst().session().value());
        assertTrue(shown.sessions().getFirst().segment(7).isPresent());
        assertEquals(List.of(), window.asked);
    }

    @Test
    void finished_mp4OfFramesAbove1080p_isAskedForAndComesLater() throws IOException {
        Asset asset = recorded(3840, 2160);
        List<AssetId> wanted = new ArrayList<>();
        AtomicReference<OptionalLong> left = new AtomicReference<>(OptionalLong.empty());
        ids.makeScaledBy(
                new Renditions() {
                    @Override
                    public void request(AssetId id) {
                        wanted.add(id);
                    }

                    @Override
                    public void cancel(AssetId id) {
                        wanted.remove(id);
                    }

                    @Override
                    public OptionalLong secondsLeft(AssetId id) {
                        return left.get();
                    }
                });

        Refused refused = assertInstanceOf(Refused.class, ask(asset, Resource.MP4).join());

        assertEquals(404, refused.status());
        assertEquals(OptionalInt.of(5), refused.retryAfterSeconds(), "as long as the asset");
        assertTrue(refused.message().contains("1080"), refused.message());
        assertEquals(List.of(asset.id()), wanted);

        left.set(OptionalLong.of(754));
        refused = assertInstanceOf(Refused.class, ask(asset, Resource.MP4).join());
        assertEquals(OptionalInt.of(754), refused.retryAfterSeconds(), "from its progress");

        Files.writeString(room.folders.of(asset.id()).resolve(Renditions.REFUSED), "no encoder");
        refused = assertInstanceOf(Refused.class, ask(asset, Resource.MP4).join());

        assertEquals(404, refused.status());
        assertEquals(OptionalInt.empty(), refused.retryAfterSeconds());
        assertTrue(refused.message().contains("no encoder"), refused.message());
    }
}
