package touchline.api.asset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
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
import touchline.packager.hls.MediaBody;
import touchline.packager.isobmff.InitSegment;
import touchline.packager.record.Recording;
import touchline.packager.record.StoredMp4;
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
        open(AssetFiles.LOCAL);
    }

    private void open(AssetFiles files) {
        ids = new AssetPlaybackIds(room.folders, files);
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
        return recorded(width, height, /* segments= */ 1);
    }

    /** The same with a file for each segment. */
    private Asset recorded(int width, int height, int segments) throws IOException {
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
        List<Recording.Segment> all = new ArrayList<>();
        for (int i = 0; i < segments; i++) {
            Recording.Place place = new Recording.Place(7 + i, 24, 1_000);
            all.add(new Recording.Segment(7 + i, 0, place, i * 4_000_000L, 4_000_000, 1));
        }
        new Recording(List.of(new Recording.Init(0, 0, AssetFixture.NOW)), all, /* ended= */ true)
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

    /** Files in a store far away: what is asked for, and none of it comes. */
    private static final class FarFiles implements InvocationHandler {
        final List<String> ensured = new CopyOnWriteArrayList<>();
        final List<String> coming = new CopyOnWriteArrayList<>();

        AssetFiles port() {
            return (AssetFiles)
                    Proxy.newProxyInstance(
                            AssetFiles.class.getClassLoader(),
                            new Class<?>[] {AssetFiles.class},
                            this);
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object[] arguments)
                throws ReflectiveOperationException {
            switch (method.getName()) {
                case "isRemote" -> {
                    return true;
                }
                case "ensure" ->
                        ((Collection<?>) arguments[1]).forEach(file -> ensured.add(name(file)));
                case "arrival" -> {
                    coming.add(name(arguments[1]));
                    return new CompletableFuture<Path>();
                }
                default -> {}
            }
            return method.invoke(AssetFiles.LOCAL, arguments);
        }

        private static String name(Object file) {
            return String.valueOf(((Path) file).getFileName());
        }
    }

    @Test
    void finished_mp4FromElsewhere_beginsWhenItsFirstFileIsThere() throws IOException {
        FarFiles far = new FarFiles();
        open(far.port());
        Asset asset = recorded(1920, 1080, /* segments= */ 3);
        Path head = room.folders.of(asset.id()).resolve(StoredMp4.HEAD);
        Files.write(head, ByteBuffer.allocate(24).putLong(16, 16 + 3 * 1_024).array());

        PlaybackDecision.Mp4 shown =
                assertInstanceOf(PlaybackDecision.Mp4.class, ask(asset, Resource.MP4).join());

        assertEquals(List.of("s7-0.m4s"), far.ensured);
        MediaBody.FileSequence body = assertInstanceOf(MediaBody.FileSequence.class, shown.body());
        assertEquals(24 + 3 * 1_024, body.sizeBytes());
        assertEquals(List.of(), far.coming);
        assertFalse(body.arrival().of(body.files().getLast().file()).isDone());
        assertEquals(List.of("s9-0.m4s"), far.coming);
    }

    /** Then all of it is read. */
    @Test
    void finished_mp4FromElsewhereWithoutItsHead_waitsForAllFiles() throws IOException {
        FarFiles far = new FarFiles();
        open(far.port());
        Asset asset = recorded(1920, 1080, /* segments= */ 3);

        assertEquals(Refused.NOT_FOUND, ask(asset, Resource.MP4).join(), "none has come");

        assertEquals(Set.of("s7-0.m4s", "s8-0.m4s", "s9-0.m4s"), Set.copyOf(far.ensured));
    }
}
