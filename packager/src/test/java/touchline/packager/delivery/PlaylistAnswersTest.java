package touchline.packager.delivery;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.packager.delivery.SessionBench.WINDOW;
import static touchline.packager.delivery.SessionBench.ascii;
import static touchline.packager.delivery.SessionBench.body;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import touchline.packager.delivery.PlaybackDecision.Live;
import touchline.packager.hls.LivePlayback.PlaylistKind;

class PlaylistAnswersTest {
    private static final String MULTIVARIANT = "#EXTM3U\nid/ses/media.m3u8\n";

    private final SessionBench bench = new SessionBench();
    private final NettyMediaMemory memory = bench.memory;
    private final FakePlayback session = bench.session;
    private final Live open = bench.open;
    private final Live restricted = bench.restricted;

    @Test
    void multivariant_running_isTheWholeAnswer() {
        assertEquals(
                "HTTP/1.1 200 OK\n"
                        + Viewer.COMMON
                        + """
                        content-type: application/vnd.apple.mpegurl
                        etag: "7b8b561900001a"
                        vary: accept-encoding
                        cache-control: public, max-age=1
                        content-length: 26

                        """
                        + MULTIVARIANT,
                bench.answer(open, "/id.m3u8"));
    }

    @Test
    void multivariant_restricted_namesTheGrantAndIsPrivate() {
        assertEquals(
                "HTTP/1.1 200 OK\n"
                        + Viewer.COMMON
                        + """
                        referrer-policy: no-referrer
                        content-type: application/vnd.apple.mpegurl
                        etag: "e9370203000024"
                        vary: accept-encoding
                        cache-control: private, max-age=1
                        content-length: 36

                        #EXTM3U
                        id/~g.r-a_nt/ses/media.m3u8
                        """,
                bench.answer(restricted, "/id.m3u8?token=t"));
    }

    @Test
    void multivariant_dvr_namesThePlaylistFromTheStart() {
        assertTrue(
                body(bench.answer(open, "/id.m3u8?dvr=1")).endsWith("\nid/ses/media.m3u8?dvr=1\n"));
    }

    @Test
    void multivariant_knownTag_isNotSentAgain() {
        Viewer viewer = new Viewer(Viewer.showing(session));
        String first = viewer.get("/id.m3u8");
        String tag = first.replaceAll("(?s).*\netag: (\"[0-9a-f]+\")\n.*", "$1");
        String second = viewer.get("/id.m3u8", "If-None-Match: " + tag);
        assertTrue(second.startsWith("HTTP/1.1 304 Not Modified\n"), second);
        assertTrue(second.contains("\netag: " + tag + "\n"), second);
        assertEquals("", body(second));
        viewer.leavesNothing(memory, session);
    }

    @Test
    void multivariant_endedOrNotBegun_is404() {
        Live ended = new Live(List.of(session), false, false, Optional.empty());
        assertTrue(bench.answer(ended, "/id.m3u8").startsWith("HTTP/1.1 404 "));
        assertTrue(
                bench.answer(new Live(List.of(), true, false, Optional.empty()), "/id.m3u8")
                        .startsWith("HTTP/1.1 404 "));
        FakePlayback fresh = new FakePlayback("new", memory);
        Viewer viewer = new Viewer(Viewer.showing(fresh));
        assertTrue(viewer.get("/id.m3u8").startsWith("HTTP/1.1 404 "));
        viewer.leavesNothing(memory, fresh, session);
    }

    @Test
    void mediaPlaylist_now_isTheWholeAnswer() {
        assertEquals(
                "HTTP/1.1 200 OK\n"
                        + Viewer.COMMON
                        + """
                        content-type: application/vnd.apple.mpegurl
                        etag: "7w"
                        vary: accept-encoding
                        cache-control: public, max-age=1
                        content-length: 32

                        """
                        + WINDOW,
                bench.answer(open, "/id/ses/media.m3u8"));
    }

    @Test
    void mediaPlaylist_gzipWanted_isSentAsItWasMade() {
        byte[] gzip = FakePlayback.gzip(ascii(WINDOW));
        String answer = bench.answer(open, "/id/ses/media.m3u8", "Accept-Encoding: gzip, br");
        assertTrue(
                answer.contains("\ncontent-encoding: gzip\ncontent-length: " + gzip.length + "\n"));
        assertTrue(answer.contains("\netag: \"7wz\"\n"), answer);
        assertEquals(new String(gzip, ISO_8859_1).replace("\r\n", "\n"), body(answer));
    }

    @Test
    void mediaPlaylist_kinds_areChosenByTheQuery() {
        assertEquals(
                "#EXTM3U\n#EXT-X-SKIP\n",
                body(bench.answer(open, "/id/ses/media.m3u8?_HLS_skip=YES")));
    }

    @Test
    void mediaPlaylist_dvr_isTheFullOne() {
        assertEquals(
                "#EXTM3U\n#EXT-X-PLAYLIST-TYPE:EVENT\n",
                body(bench.answer(open, "/id/ses/media.m3u8?dvr=1&_HLS_skip=YES")));
    }

    @Test
    void mediaPlaylist_knownTag_is304() {
        assertTrue(
                bench.answer(open, "/id/ses/media.m3u8", "If-None-Match: \"6w\", W/\"7w\"")
                        .startsWith("HTTP/1.1 304 "));
    }

    @Test
    void mediaPlaylist_head_hasTheSameHeadersAndNoBody() {
        String get = bench.answer(open, "/id/ses/media.m3u8");
        Viewer viewer = new Viewer(Viewer.showing(refilled()));
        String head = viewer.exchange("HEAD /id/ses/media.m3u8 HTTP/1.1\r\nHost: t\r\n\r\n");
        assertEquals(get.substring(0, get.indexOf("\n\n") + 2), head);
        viewer.leavesNothing(memory, session);
    }

    /** The same session again, for a test that needs a second connection. */
    private FakePlayback refilled() {
        return session.playlistText(PlaylistKind.WINDOW, 7, WINDOW);
    }

    @Test
    void reload_partAppears_isAnsweredWithTheNewPlaylist() {
        Viewer viewer = new Viewer(Viewer.showing(session));
        viewer.send("GET /id/ses/media.m3u8?_HLS_msn=8&_HLS_part=0 HTTP/1.1\r\nHost: t\r\n\r\n");
        assertEquals("", viewer.received());
        assertEquals(1, viewer.counters.blockedNow());
        session.playlistText(PlaylistKind.WINDOW, 8, "#EXTM3U\n#new\n");
        session.reached(8, OptionalInt.of(0), true);
        String answer = viewer.received();
        assertEquals("#EXTM3U\n#new\n", body(answer));
        assertTrue(answer.contains("\ncache-control: public, max-age=36\n"), answer);
        assertTrue(answer.contains("\netag: \"8w\"\n"), answer);
        viewer.leavesNothing(memory, session);
    }

    @Test
    void reload_partThatIsListedAlready_isNotKeptByCaches() {
        session.playlistText(PlaylistKind.WINDOW, 8, WINDOW);
        session.reached(7, OptionalInt.of(2), true);

        String answer = bench.answer(open, "/id/ses/media.m3u8?_HLS_msn=7&_HLS_part=2");

        assertTrue(answer.contains("\ncache-control: public, max-age=0, s-maxage=1\n"), answer);
    }

    @Test
    void reload_partBehindItsSegment_isTheNextSegmentsFirstAndIsKept() {
        session.playlistText(PlaylistKind.WINDOW, 8, WINDOW);
        OptionalInt behind = OptionalInt.of(FakePlayback.PARTS);
        session.reached(7, behind, true);

        String answer = bench.answer(restricted, "/id/~g/ses/media.m3u8?_HLS_msn=7&_HLS_part=4");

        assertTrue(answer.contains("\ncache-control: private, max-age=36\n"), answer);
    }

    @Test
    void reload_sessionEnded_isAnsweredWithTheLastPlaylist() {
        session.reached(8, OptionalInt.empty(), false);
        assertEquals(WINDOW, body(bench.answer(open, "/id/ses/media.m3u8?_HLS_msn=8")));
    }

    @Test
    void reload_sessionClosed_is404AtOnce() {
        Viewer viewer = new Viewer(Viewer.showing(session));
        viewer.send("GET /id/ses/media.m3u8?_HLS_msn=8 HTTP/1.1\r\nHost: t\r\n\r\n");
        session.close();
        assertTrue(viewer.received().startsWith("HTTP/1.1 404 "));
        viewer.leavesNothing(memory, session);
    }

    @Test
    void reload_tooFarAhead_is400() {
        session.limit(9);
        String answer = bench.answer(open, "/id/ses/media.m3u8?_HLS_msn=10");
        assertTrue(answer.startsWith("HTTP/1.1 400 Bad Request\n"), answer);
        assertTrue(answer.contains("{\"code\":40002,\"message\":\"_HLS_msn or _HLS_part: too far"));
    }

    @Test
    void reload_partWithoutSegment_is400() {
        String answer = bench.answer(open, "/id/ses/media.m3u8?_HLS_part=1");
        assertTrue(answer.startsWith("HTTP/1.1 400 Bad Request\n"), answer);
        assertTrue(answer.contains("\"message\":\"_HLS_part without _HLS_msn\""), answer);
    }

    @Test
    void reload_nothingNewIn18Seconds_is503() {
        Viewer viewer = new Viewer(Viewer.showing(session));
        viewer.send("GET /id/ses/media.m3u8?_HLS_msn=8 HTTP/1.1\r\nHost: t\r\n\r\n");
        viewer.pass(Duration.ofSeconds(17));
        assertEquals("", viewer.received());
        viewer.pass(Duration.ofSeconds(1));
        String answer = viewer.received();
        assertTrue(answer.startsWith("HTTP/1.1 503 Service Unavailable\n"), answer);
        assertTrue(answer.contains("\nretry-after: 1\n"), answer);
        assertTrue(answer.contains("{\"code\":50301,"), answer);
        assertTrue(viewer.channel.isOpen());
        viewer.leavesNothing(memory, session);
    }

    @Test
    void reload_connectionClosed_leavesNoWaitingRequest() {
        Viewer viewer = new Viewer(Viewer.showing(session));
        viewer.send("GET /id/ses/media.m3u8?_HLS_msn=8 HTTP/1.1\r\nHost: t\r\n\r\n");
        assertEquals(1, viewer.counters.blockedNow());
        viewer.leave();
        assertEquals(0, viewer.counters.blockedNow());
        session.reached(8, OptionalInt.empty(), true);
        viewer.leavesNothing(memory, session);
    }
}
