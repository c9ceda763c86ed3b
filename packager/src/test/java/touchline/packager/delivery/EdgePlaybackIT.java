package touchline.packager.delivery;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.packager.delivery.DeliveryCounters.Kind;
import touchline.packager.delivery.PlaybackDecision.Live;
import touchline.packager.hls.LivePlayback.PlaylistKind;
import touchline.packager.hls.MediaBody;
import touchline.testing.Await;

/** What viewers of another node get, over real sockets. */
final class EdgePlaybackIT {
    private static final int WAITERS = 1_000;
    private static final String RELOAD = "/id/ses/media.m3u8?_HLS_msn=8&_HLS_part=0";
    private static final String PART = "/id/ses/s8.0.m4s";

    @TempDir Path folder;

    private final byte[] media = new byte[300_000];
    private EdgeBench bench;
    private FakePlayback session;

    @BeforeEach
    void start() throws IOException {
        new Random(7).nextBytes(media);
        bench = new EdgeBench(64 << 20);
        FakePlayback rendition =
                new FakePlayback("480p", bench.ownerMemory)
                        .playlistText(PlaylistKind.WINDOW, 7, "#EXTM3U\n#480p\n")
                        .blocks("init0", Arrays.copyOf(media, 400))
                        .blocks("s7", Arrays.copyOf(media, 2_000));
        session =
                bench.session()
                        .multivariantNaming("ses/media.m3u8")
                        .blocks("init0", Arrays.copyOf(media, 700))
                        .blocks("s7", Arrays.copyOf(media, 100_000), Arrays.copyOf(media, 31))
                        .blocks("s7.1", Arrays.copyOf(media, 80_000))
                        .rendition("480p", rendition);
        ended(7, "");
        shows(false, Optional.empty());
    }

    /** The playlists of the session end with this segment. */
    private void ended(long version, String more) {
        session.playlistText(PlaylistKind.WINDOW, version, "#EXTM3U\n#v" + version + more + "\n")
                .playlistText(PlaylistKind.WINDOW_DELTA, version, "#EXTM3U\n#EXT-X-SKIP\n" + more);
    }

    private void shows(boolean restricted, Optional<String> grant) {
        bench.owns(new Live(List.of(session), true, restricted, grant));
        bench.edgeAccess.forViewers = bench.remote(restricted, grant);
    }

    @AfterEach
    void nothingIsLeft() {
        bench.close();
        session.close();
        session.rendition("480p").ifPresent(each -> each.close());
        Await.until(() -> bench.edgeMemory.usedBytes() == 0, "memory of the edge");
        Await.until(() -> bench.ownerMemory.usedBytes() == 0, "memory of the owner");
        assertEquals(0, bench.edgeCounters.blockedNow());
        Await.until(
                () -> bench.edge.counters().openConnections() == 0, "connections between nodes");
    }

    private void assertSame(String target, String... headers) {
        HttpResponse<byte[]> there = bench.atOwner(target, headers);
        HttpResponse<byte[]> here = bench.atEdge(target, headers);
        assertEquals(there.statusCode(), here.statusCode(), target);
        assertEquals(EdgeBench.headers(there), EdgeBench.headers(here), target);
        if (there.statusCode() < 400) {
            assertArrayEquals(there.body(), here.body(), target);
        }
    }

    @Test
    void everyAnswer_isTheOwners() {
        session.playlistText(PlaylistKind.FULL, 7, "#EXTM3U\n#EXT-X-PLAYLIST-TYPE:EVENT\n");
        session.reached(7, OptionalInt.of(0), true);
        session.reached(9, OptionalInt.empty(), false);
        session.decided(9, 3, false);
        session.limit(20);
        for (String target :
                List.of(
                        "/id.m3u8",
                        "/id.m3u8?dvr=1",
                        "/id/ses/media.m3u8",
                        "/id/ses/media.m3u8?_HLS_skip=YES",
                        "/id/ses/media.m3u8?dvr=1",
                        "/id/ses/media.m3u8?_HLS_msn=7&_HLS_part=0",
                        "/id/ses/media.m3u8?_HLS_msn=7&_HLS_part=0&_HLS_skip=YES",
                        "/id/ses/media.m3u8?_HLS_msn=9",
                        "/id/ses/media.m3u8?_HLS_msn=99",
                        "/id/ses/init0.mp4",
                        "/id/ses/init9.mp4",
                        "/id/ses/s7.m4s",
                        "/id/ses/s99.m4s",
                        "/id/ses/s7.1.m4s",
                        "/id/ses/s9.3.m4s",
                        "/id/ses/480p/media.m3u8",
                        "/id/ses/480p/init0.7.mp4",
                        "/id/ses/480p/s7.m4s",
                        "/id/ses/720p/media.m3u8",
                        "/id/other/media.m3u8",
                        "/id/capped-1080p.mp4",
                        "/id/thumbnail.jpg")) {
            assertSame(target);
            assertSame(target, "Accept-Encoding", "gzip");
        }
        assertSame("/id/ses/s7.m4s", "Range", "bytes=5-60000");
        assertSame("/id/ses/s7.m4s", "Range", "bytes=500000-");
        assertSame("/id/ses/s7.m4s", "If-None-Match", "\"ses.s7\"");
        assertSame("/id/ses/media.m3u8", "If-None-Match", "\"7w\"");
        HttpResponse<byte[]> head = bench.head(/* atEdge= */ true, "/id/ses/s7.m4s");
        assertEquals(
                EdgeBench.headers(bench.head(/* atEdge= */ false, "/id/ses/s7.m4s")),
                EdgeBench.headers(head));
    }

    @Test
    void sessionWithoutRecording_showsItsWindowForDvr() {
        assertSame("/id/ses/media.m3u8?dvr=1");
        assertSame("/id/ses/media.m3u8?dvr=1");
    }

    @Test
    void waiters_costOneRequestAtTheOwner() throws IOException {
        bench.freeze();
        assertEquals(200, bench.atEdge("/id/ses/media.m3u8").statusCode());
        long playlists = bench.upstream(Kind.MEDIA_PLAYLIST);
        List<Socket> viewers = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            Socket viewer = new Socket(InetAddress.getLoopbackAddress(), bench.edgePort());
            viewer.setSoTimeout(20_000);
            viewers.add(viewer);
            ServerBench.send(
                    viewer, ServerBench.get(RELOAD + (i % 2 == 0 ? "&_HLS_skip=YES" : "")));
        }
        Await.until(() -> bench.edgeCounters.blockedNow() == WAITERS, "all requests are held");
        Await.until(() -> bench.ownerCounters.blockedNow() == 1, "one at the owner");

        ended(8, "");
        byte[] part = Arrays.copyOf(media, 20_000);
        session.blocks("s8.0", part);
        session.reached(8, OptionalInt.of(0), true);
        for (Socket viewer : viewers) {
            String answer = ServerBench.answer(viewer.getInputStream());
            assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
            assertTrue(answer.contains("etag: \"8"), answer);
            ServerBench.send(viewer, ServerBench.get(PART));
        }
        for (Socket viewer : viewers) {
            InputStream in = viewer.getInputStream();
            String answer = ServerBench.answer(in);
            assertTrue(answer.endsWith(new String(part, ISO_8859_1)));
            viewer.close();
        }
        assertEquals(1, bench.upstream(Kind.MEDIA_PLAYLIST) - playlists);
        assertEquals(1, bench.upstream(Kind.PART));
    }

    @Test
    void droppedStream_answersHeldRequestsAndRemovesItsMedia() throws Exception {
        assertEquals(200, bench.atEdge("/id/ses/s7.m4s").statusCode());
        CompletableFuture<HttpResponse<byte[]>> reload = bench.heldAtEdge(RELOAD);
        CompletableFuture<HttpResponse<byte[]>> part = bench.heldAtEdge(PART);
        Await.until(() -> bench.ownerCounters.blockedNow() == 2, "held at the owner");

        bench.edgeAccess.forViewers = PlaybackDecision.Refused.NOT_FOUND;
        bench.edge.drop(EdgeBench.SUBJECT);
        assertEquals(0, bench.edge.cachedBytes());
        assertEquals(404, reload.get(5, TimeUnit.SECONDS).statusCode());
        assertEquals(404, part.get(5, TimeUnit.SECONDS).statusCode());
        assertEquals(404, bench.atEdge("/id/ses/s7.m4s").statusCode());
        Await.until(() -> bench.ownerCounters.openConnections() == 0, "cut upstream");

        bench.edgeAccess.forViewers = bench.remote(false, Optional.empty());
        assertEquals(200, bench.atEdge("/id/ses/s7.m4s").statusCode());
    }

    @Test
    void ownerThatComesBackElsewhere_answersHeldRequests() throws Exception {
        CompletableFuture<HttpResponse<byte[]>> held = bench.heldAtEdge(RELOAD);
        Await.until(() -> bench.ownerCounters.blockedNow() == 1, "held at the owner");
        bench.ownerGone();
        assertFalse(held.isDone());
        ended(8, "");
        session.reached(8, OptionalInt.of(0), true);
        bench.ownerBack();

        HttpResponse<byte[]> answer = held.get(10, TimeUnit.SECONDS);
        assertEquals(200, answer.statusCode());
        assertEquals("\"8w\"", answer.headers().firstValue("etag").orElse(""));
    }

    @Test
    void ownerThatStaysAway_isNotReplacedByAnOldPlaylist() throws Exception {
        assertEquals(200, bench.atEdge("/id/ses/media.m3u8").statusCode());
        assertEquals(200, bench.atEdge("/id/ses/s7.m4s").statusCode());
        bench.address = Optional.empty();
        bench.skip(2);
        List<CompletableFuture<HttpResponse<byte[]>>> waiting =
                List.of(
                        bench.heldAtEdge("/id/ses/media.m3u8"),
                        bench.heldAtEdge("/id.m3u8"),
                        bench.heldAtEdge("/id/ses/s6.m4s"),
                        bench.heldAtEdge(RELOAD),
                        bench.heldAtEdge(PART));
        Await.until(() -> bench.edgeCounters.blockedNow() == 2, "two are held");
        Await.until(() -> bench.edge.counters().failures() > 5, "all are under way");
        // One that arrives late counts from then.
        Await.until(
                () -> {
                    bench.skip(20);
                    return waiting.stream().allMatch(Future::isDone);
                });
        for (CompletableFuture<HttpResponse<byte[]>> each : waiting) {
            HttpResponse<byte[]> answer = each.join();
            assertEquals(503, answer.statusCode(), new String(answer.body(), UTF_8));
            assertEquals("1", answer.headers().firstValue("retry-after").orElse(""));
        }
        assertEquals(200, bench.atEdge("/id/ses/s7.m4s").statusCode());
    }

    @Test
    void movedStream_asksTheNewOwnerForHeldRequests() throws Exception {
        CompletableFuture<HttpResponse<byte[]>> held = bench.heldAtEdge(RELOAD);
        Await.until(() -> bench.ownerCounters.blockedNow() == 1, "held at the owner");
        bench.edge.moved(EdgeBench.SUBJECT);
        Await.until(() -> bench.upstream(Kind.MEDIA_PLAYLIST) == 2, "requested a second time");
        ended(8, "");
        session.reached(8, OptionalInt.of(0), true);

        assertEquals(200, held.get(5, TimeUnit.SECONDS).statusCode());
    }

    @Test
    void slowOwner_isAskedOnce() throws Exception {
        CompletableFuture<Void> rendered = new CompletableFuture<>();
        session.slow(PlaylistKind.WINDOW, rendered);
        List<CompletableFuture<HttpResponse<byte[]>>> waiting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiting.add(bench.heldAtEdge("/id/ses/media.m3u8"));
        }
        Await.until(() -> bench.edge.counters().shared() == 19, "all wait");
        rendered.complete(null);
        for (CompletableFuture<HttpResponse<byte[]>> each : waiting) {
            assertEquals(200, each.get(5, TimeUnit.SECONDS).statusCode());
        }
        assertEquals(1, bench.upstream(Kind.MEDIA_PLAYLIST));
    }

    @Test
    void crowdThatIsAnsweredSlowly_getsThePlaylistItHasWaitedFor() throws Exception {
        CompletableFuture<Void> rendered = new CompletableFuture<>();
        session.slow(PlaylistKind.WINDOW, rendered);
        List<CompletableFuture<HttpResponse<byte[]>>> waiting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiting.add(bench.heldAtEdge("/id/ses/media.m3u8"));
        }
        Await.until(() -> bench.edge.counters().shared() == 19, "all wait");
        // Each look at the clock takes longer than a playlist is fresh.
        bench.slowClock.set(true);
        rendered.complete(null);
        for (CompletableFuture<HttpResponse<byte[]>> each : waiting) {
            assertEquals(200, each.get(5, TimeUnit.SECONDS).statusCode());
        }
        bench.slowClock.set(false);
    }

    @Test
    void signedPlayback_isDecidedAtTheEdge() {
        shows(true, Optional.of("g.r-a_nt"));
        assertSame("/id.m3u8");
        assertSame("/id/~g.r-a_nt/ses/media.m3u8");
        assertSame("/id/~g.r-a_nt/ses/s7.m4s");
        assertTrue(
                new String(bench.atEdge("/id.m3u8").body(), UTF_8).contains("id/~g.r-a_nt/ses/"));

        bench.edgeAccess.forViewers =
                new PlaybackDecision.Refused(403, 40302, "token: expired", OptionalInt.empty());
        assertEquals(403, bench.atEdge("/id/~g.r-a_nt/ses/s7.m4s").statusCode());
    }

    @Test
    void nodeWithoutAGoodSignature_getsNothing() {
        bench.ownerAccess.forViewers =
                new PlaybackDecision.Refused(403, 40301, "token: missing", OptionalInt.empty());
        String good = "node:GET /id/ses/s7.m4s";
        assertEquals(200, bench.atOwner("/id/ses/s7.m4s", "X-Touchline-Node", good).statusCode());
        for (String forged : List.of("", "x", "node:GET /id/ses/s7.1.m4s", good + " ")) {
            HttpResponse<byte[]> answer =
                    bench.atOwner("/id/ses/s7.1.m4s", "X-Touchline-Node", "x" + forged);
            assertEquals(403, answer.statusCode());
            assertTrue(new String(answer.body(), UTF_8).contains("40301"));
        }
        assertEquals(403, bench.atOwner("/id/ses/s7.m4s").statusCode());
    }

    @Test
    void evidenceFrame_isThatOfItsNode_orUnreachable() throws IOException {
        String link = "/frames/a1B2c3D4.jpg?exp=1700000000&sig=s-_x";
        Path file = Files.write(folder.resolve("frame.jpg"), Arrays.copyOf(media, 30_000));
        bench.ownerAccess.frame =
                new FrameDecision.Image(new MediaBody.FileRange(file, 0, Files.size(file)));
        bench.edgeAccess.frame = new FrameDecision.Remote(bench.edge.media("frames", "frames"));
        assertSame(link);
        assertSame(link, "Range", "bytes=5-600");
        assertSame(link, "If-None-Match", "\"f.a1B2c3D4\"");
        bench.skip(2);
        bench.ownerAccess.frame = FrameDecision.Refused.NOT_FOUND;
        assertEquals(404, bench.atEdge(link).statusCode());
        bench.skip(2);
        bench.address = Optional.empty();
        CompletableFuture<HttpResponse<byte[]>> waiting = bench.heldAtEdge(link);
        Await.until(() -> bench.edge.counters().failures() > 0, "it is looked for");
        bench.skip(20);
        assertEquals(503, waiting.join().statusCode());
    }

    @Test
    void stateOfAStream_isForNodesThatProveIt() {
        String target = "/id/watch.json";
        String good = "node:GET " + target;
        assertEquals("for a viewer", text(target));
        assertEquals("for a node: id", text(target, "X-Touchline-Node", good));
        assertTrue(text(target, "X-Touchline-Node", good + "x").contains("40301"));
        assertEquals("for a viewer", text("/id", "X-Touchline-Node", "node:GET /id"));
    }

    private String text(String target, String... headers) {
        return new String(bench.atOwner(target, headers).body(), UTF_8);
    }

    @Test
    void movie_isSentInChunks() throws IOException {
        byte[] stored = new byte[3_500_000];
        new Random(11).nextBytes(stored);
        Path file = Files.write(folder.resolve("f"), stored);
        bench.owns(
                new PlaybackDecision.Mp4(
                        new MediaBody.FileSequence(
                                List.of(
                                        new MediaBody.FileRange(file, 0, 1_300_000),
                                        new MediaBody.FileRange(file, 1_300_000, 2_200_000))),
                        "\"m\"",
                        /* restricted= */ false));
        assertSame("/id/capped-1080p.mp4");
        assertSame("/id/capped-1080p.mp4", "Range", "bytes=1048570-2097160");
        assertSame("/id/capped-1080p.mp4", "Range", "bytes=-5");
        assertSame("/id/capped-1080p.mp4?download=match", "If-None-Match", "\"m\"");
        assertEquals(
                EdgeBench.headers(bench.head(/* atEdge= */ false, "/id/capped-1080p.mp4")),
                EdgeBench.headers(bench.head(/* atEdge= */ true, "/id/capped-1080p.mp4")));
    }

    @Test
    void chaptersAndRefusals_arePassedOn() {
        bench.owns(new PlaybackDecision.Chapters("WEBVTT\n\nä\n", /* restricted= */ true));
        assertSame("/id/chapters.vtt");
        assertSame("/id/chapters.vtt", "Accept-Encoding", "gzip");
        bench.owns(new PlaybackDecision.Refused(404, 40401, "it is recorded", OptionalInt.of(60)));
        assertSame("/id/capped-1080p.mp4");
        assertTrue(
                new String(bench.atEdge("/id/capped-1080p.mp4").body(), UTF_8)
                        .contains("it is recorded"));
    }
}
