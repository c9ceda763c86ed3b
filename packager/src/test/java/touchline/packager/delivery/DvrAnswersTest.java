package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.packager.delivery.SessionBench.ascii;
import static touchline.packager.delivery.SessionBench.body;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import touchline.packager.hls.LivePlayback.PlaylistKind;

/** The playlist from the start, which takes time to make, and parts that never come. */
class DvrAnswersTest {
    private static final String DVR = "/id/ses/media.m3u8?dvr=1";

    private final SessionBench bench = new SessionBench();
    private final CompletableFuture<Void> made = new CompletableFuture<>();
    private final FakePlayback session = bench.session.slow(PlaylistKind.FULL, made);

    @Test
    void full_thatIsBeingMade_isAnsweredWhenItIs() {
        Viewer viewer = new Viewer(Viewer.showing(session));
        viewer.send("GET " + DVR + " HTTP/1.1\r\nHost: t\r\n\r\n");
        assertEquals("", viewer.received());
        made.complete(null);
        assertTrue(body(viewer.received()).contains("#EXT-X-PLAYLIST-TYPE:EVENT\n"));
        viewer.leavesNothing(bench.memory, session);
    }

    @Test
    void full_thatFails_isAFaultOfOurs() {
        made.completeExceptionally(new IllegalStateException("a test's failure"));
        Viewer viewer = new Viewer(Viewer.showing(session));
        assertTrue(viewer.get(DVR).startsWith("HTTP/1.1 500 "));
        viewer.leavesNothing(bench.memory, session);
    }

    @Test
    void full_viewerThatLeavesMeanwhile_leavesNoReferences() {
        Viewer viewer = new Viewer(Viewer.showing(session));
        viewer.send("GET " + DVR + " HTTP/1.1\r\nHost: t\r\n\r\n");
        viewer.leave();
        made.complete(null);
        viewer.leavesNothing(bench.memory, session);
    }

    @Test
    void part_thatTurnsOutNeverToCome_is404() {
        Viewer viewer = new Viewer(Viewer.showing(session));
        viewer.send("GET /id/ses/s7.2.m4s HTTP/1.1\r\nHost: t\r\n\r\n");
        assertEquals("", viewer.received());
        session.decided(7, 2, false);
        assertTrue(viewer.received().startsWith("HTTP/1.1 404 "));
        viewer.leavesNothing(bench.memory, session);
    }

    @Test
    void part_andReloadOfTheSameNumber_waitForDifferentThings() {
        Viewer reload = new Viewer(Viewer.showing(session));
        reload.send("GET /id/ses/media.m3u8?_HLS_msn=7&_HLS_part=2 HTTP/1.1\r\nHost: t\r\n\r\n");
        Viewer viewer = new Viewer(Viewer.showing(session));
        viewer.send("GET /id/ses/s7.2.m4s HTTP/1.1\r\nHost: t\r\n\r\n");
        session.blocks("s7.2", ascii("part2"));
        session.decided(7, 2, true);
        assertEquals("part2", body(viewer.received()));
        assertEquals("", reload.received());
        assertEquals(1, reload.counters.blockedNow());
        reload.leave();
        viewer.leavesNothing(bench.memory, session);
    }
}
