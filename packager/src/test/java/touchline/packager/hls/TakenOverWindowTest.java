package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import touchline.packager.conformance.ConformanceChecker;
import touchline.packager.conformance.HlsPlaylist;
import touchline.packager.hls.LivePlayback.PlaylistKind;

/** The playlist from the start of a session that goes on here. */
final class TakenOverWindowTest extends TakenOverCase {
    @Test
    void fullPlaylist_hasTheWholeSessionWithItsLostNumbers() throws IOException {
        LiveWindow window = resumed();
        window.beginning().provide(earlier(101, 104, 95_500_000), /* isAlone= */ true);

        String text = fed(window).run().playlist(PlaylistKind.FULL);

        assertTrue(
                text.startsWith(
                        """
                        #EXTM3U
                        #EXT-X-VERSION:9
                        #EXT-X-TARGETDURATION:6
                        #EXT-X-PLAYLIST-TYPE:EVENT
                        #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=36.000000,\
                        PART-HOLD-BACK=1.500000,HOLD-BACK=18.000000
                        #EXT-X-PART-INF:PART-TARGET=0.500000
                        #EXT-X-MEDIA-SEQUENCE:101
                        #EXT-X-DISCONTINUITY-SEQUENCE:0
                        #EXT-X-MAP:URI="init0.mp4"
                        #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:27.500Z
                        #EXTINF:2.000000,
                        s101.m4s
                        #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:29.500Z
                        #EXTINF:2.000000,
                        s102.m4s
                        #EXT-X-DISCONTINUITY
                        #EXT-X-MAP:URI="init1.mp4"
                        #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:31.500Z
                        #EXTINF:2.000000,
                        s103.m4s
                        #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:33.500Z
                        #EXTINF:2.000000,
                        s104.m4s
                        #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:35.500Z
                        #EXT-X-GAP
                        #EXTINF:0.001000,
                        s105.m4s
                        #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:35.501Z
                        #EXT-X-GAP
                        #EXTINF:0.001000,
                        s106.m4s
                        #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:35.502Z
                        #EXT-X-GAP
                        #EXTINF:0.001000,
                        s107.m4s
                        #EXT-X-DISCONTINUITY
                        #EXT-X-MAP:URI="init8.mp4"
                        #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:01:50.000Z
                        #EXT-X-PART:DURATION=0.500000,URI="s108.1.m4s",INDEPENDENT=YES
                        """),
                text);
        assertEquals(List.of(), findings(text));
    }

    @Test
    void fullPlaylist_waitsUntilTheBeginningIsKnown() throws IOException {
        LiveWindow window = resumed();
        window.beginning().expect();
        fed(window).run();

        CompletableFuture<Optional<RenderedPlaylist>> waits =
                window.mediaPlaylist(PlaylistKind.FULL).toCompletableFuture();
        assertFalse(waits.isDone());
        window.beginning().provide(earlier(101, 104, 95_500_000), /* isAlone= */ true);

        assertTrue(text(waits).contains("#EXT-X-MEDIA-SEQUENCE:101\n"));
    }

    @Test
    void fullPlaylist_ofAnotherAsset_beginsHere() throws IOException {
        LiveWindow window = resumed();
        window.beginning().expect();
        fed(window).run();
        CompletableFuture<Optional<RenderedPlaylist>> waits =
                window.mediaPlaylist(PlaylistKind.FULL).toCompletableFuture();

        window.beginning().provideNone();

        assertTrue(text(waits).contains("#EXT-X-MEDIA-SEQUENCE:108\n"));
    }

    @Test
    void close_answersWhatWaitsForTheBeginning() throws IOException {
        LiveWindow window = resumed();
        window.beginning().expect();
        CompletableFuture<Optional<RenderedPlaylist>> waits =
                window.mediaPlaylist(PlaylistKind.FULL).toCompletableFuture();

        window.close();

        assertTrue(waits.join().isEmpty());
        window.beginning().provide(earlier(101, 104, 95_500_000), /* isAlone= */ true);
    }

    @Test
    void numbers_lostBetweenEarlierServers_areGapsToo() throws IOException {
        LiveWindow window = resumed();
        window.beginning()
                .provide(
                        earlier(
                                List.of(
                                        stored(101, 0, 80_000_000),
                                        stored(104, 1, 86_000_000),
                                        stored(105, 1, 88_000_000))),
                        /* isAlone= */ true);

        String text = fed(window).run().playlist(PlaylistKind.FULL);

        assertEquals(
                List.of(102L, 103L, 106L, 107L),
                new ConformanceChecker()
                        .whole(text).orElseThrow().segments().stream()
                                .filter(HlsPlaylist.Segment::gap)
                                .map(HlsPlaylist.Segment::mediaSequence)
                                .toList());
        assertEquals(List.of(), findings(text));
    }

    @Test
    void earlierSegment_comesFromItsFileWhenThatIsHere() throws IOException {
        LiveWindow window = resumed();
        window.beginning().provide(earlier(101, 104, 95_500_000), /* isAlone= */ true);
        fed(window).run();

        assertTrue(window.segment(103).isEmpty());
        MediaBody body = window.whenSegment(103).toCompletableFuture().join().orElseThrow();

        assertEquals(
                new MediaBody.FileRange(folder.resolve("s103-1.m4s"), 16, 1_000),
                assertInstanceOf(MediaBody.FileRange.class, body));
        assertEquals(List.of(folder.resolve("s103-1.m4s")), asked);
        CompletionException away =
                assertThrows(
                        CompletionException.class,
                        () -> window.whenSegment(101).toCompletableFuture().join());
        assertInstanceOf(MediaUnreachableException.class, away.getCause());
        assertTrue(window.whenSegment(102).toCompletableFuture().join().isEmpty());
        // A gap, and one of this server.
        assertTrue(window.whenSegment(106).toCompletableFuture().join().isEmpty());
        window.whenSegment(108).toCompletableFuture().join().orElseThrow().close();
        MediaBody init = window.initSegment(1).orElseThrow();
        assertEquals(6, init.sizeBytes());
        init.close();
    }

    @Test
    void thumbnails_areOfThisServersFrames() throws IOException {
        LiveWindow window = resumed();
        window.beginning().provide(earlier(101, 104, 95_500_000), /* isAlone= */ true);
        fed(window).run();

        assertTrue(window.startingBy(90_000_000).isEmpty());
        assertEquals(108, window.startingBy(START_US).orElseThrow().mediaSequence());
    }

    private static String text(CompletableFuture<Optional<RenderedPlaylist>> answer) {
        RenderedPlaylist text = answer.join().orElseThrow();
        String plain = StandardCharsets.UTF_8.decode(text.plain().bytes()).toString();
        text.release();
        return plain;
    }
}
