package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import touchline.packager.hls.LivePlayback.PlaylistKind;

/** Requests to live renditions. */
final class RenditionAnswersTest {
    private static final PlaybackDecision REFUSED =
            new PlaybackDecision.Refused(403, 40302, "key deleted", OptionalInt.empty());

    private final SessionBench bench = new SessionBench();
    private final FakePlayback small =
            new FakePlayback("ses", bench.memory)
                    .playlistText(PlaylistKind.WINDOW, 7, "#EXTM3U\nsmall\n")
                    .playlistText(PlaylistKind.WINDOW_DELTA, 7, "#EXTM3U\n#EXT-X-SKIP\n")
                    .blocks("init0", SessionBench.ascii("small-init"))
                    .blocks("s7", SessionBench.ascii("small-seg"))
                    .blocks("s7.1", SessionBench.ascii("small-part"));
    private PlaybackDecision decision = bench.open;
    private final Viewer viewer = new Viewer(_ -> CompletableFuture.completedFuture(decision));

    RenditionAnswersTest() {
        bench.session.rendition("480p", small);
    }

    private void assertAnswer(String target, String body) {
        String answer = viewer.get(target);
        assertTrue(answer.startsWith("HTTP/1.1 200 OK\n"), answer);
        assertEquals(body, SessionBench.body(answer));
    }

    private void assertMissing(String target) {
        String answer = viewer.get(target);
        assertTrue(answer.startsWith("HTTP/1.1 404 Not Found\n"), answer);
    }

    private void leavesNothing() {
        viewer.leavesNothing(bench.memory, bench.session, small);
    }

    @Test
    void everyAddress_isAnsweredFromTheRendition() {
        assertAnswer("/id/ses/480p/media.m3u8", "#EXTM3U\nsmall\n");
        assertAnswer("/id/ses/480p/media.m3u8?_HLS_skip=YES", "#EXTM3U\n#EXT-X-SKIP\n");
        assertAnswer("/id/ses/480p/init0.7.mp4", "small-init");
        assertAnswer("/id/ses/480p/s7.m4s", "small-seg");
        assertAnswer("/id/ses/480p/s7.1.m4s", "small-part");
        leavesNothing();
    }

    @Test
    void whatIsNotThere_is404() {
        assertMissing("/id/ses/480p/init0.8.mp4");
        assertMissing("/id/ses/480p/s8.m4s");
        assertMissing("/id/ses/360p/media.m3u8");
        assertMissing("/id/other/480p/media.m3u8");
        leavesNothing();
    }

    @Test
    void mediaOfRenditions_isImmutableUnderItsOwnTag() {
        List<String> tags = new ArrayList<>();
        for (String target :
                List.of("s7.m4s", "480p/s7.m4s", "480p/s7.1.m4s", "480p/init0.7.mp4")) {
            String answer = viewer.get("/id/ses/" + target);
            assertTrue(answer.contains("cache-control: public, max-age=31536000, immutable"));
            tags.add(answer.lines().filter(line -> line.startsWith("etag:")).findFirst().get());
        }
        assertEquals(4, tags.stream().distinct().count(), tags::toString);
        String tag = tags.get(1).substring("etag: ".length());
        String again = viewer.get("/id/ses/480p/s7.m4s", "If-None-Match: " + tag + "\r\n");
        assertTrue(again.startsWith("HTTP/1.1 304 Not Modified\n"), again);
        leavesNothing();
    }

    @Test
    void signed_isPrivateAndCheckedAfterAWait() {
        decision = bench.restricted;
        String answer = viewer.get("/id/~g/ses/480p/s7.m4s");
        assertTrue(answer.contains("cache-control: private"), answer);
        viewer.send(
                "GET /id/~g/ses/480p/media.m3u8?_HLS_msn=8&_HLS_part=0 HTTP/1.1\r\nHost: t\r\n\r\n");
        assertEquals("", viewer.received());
        decision = REFUSED;
        small.reached(8, OptionalInt.of(0), /* available= */ true);
        assertTrue(viewer.received().startsWith("HTTP/1.1 403 Forbidden\n"));
        leavesNothing();
    }

    @Test
    void heldRequestsOfADroppedRendition_are404AtOnce() {
        viewer.send("GET /id/ses/480p/s8.1.m4s HTTP/1.1\r\nHost: t\r\n\r\n");
        assertEquals("", viewer.received());
        bench.session.dropRenditions();
        small.decided(8, 1, /* there= */ false);
        assertTrue(viewer.received().startsWith("HTTP/1.1 404 Not Found\n"));
        assertMissing("/id/ses/480p/media.m3u8");
        leavesNothing();
    }

    @Test
    void requestsForMedia_areCountedByRendition_withBoundedLabels() {
        List<String> labels = new ArrayList<>();
        viewer.counters.onRendition(labels::add);
        viewer.get("/id/ses/s7.m4s");
        viewer.get("/id/ses/480p/s7.m4s");
        viewer.get("/id/ses/480p/s7.1.m4s");
        viewer.get("/id/ses/480p/media.m3u8");
        viewer.get("/id/ses/999p/s7.m4s");

        assertEquals(1, viewer.counters.mediaRequests(DeliveryCounters.SOURCE));
        assertEquals(2, viewer.counters.mediaRequests("480p"));
        assertEquals(List.of("480p"), labels);
        for (int height = 0; height < 100; height++) {
            viewer.counters.renditionRequested(height + "p");
        }
        assertEquals(33, labels.size());
        assertTrue(labels.contains(DeliveryCounters.OTHER_RENDITION));
        assertFalse(labels.contains("99p"));
        leavesNothing();
    }
}
