package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.packager.delivery.SessionBench.ANY_ID;
import static touchline.packager.delivery.SessionBench.withoutId;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import touchline.packager.delivery.PlaybackDecision.Live;

class PlaybackHandlerTest {
    private final SessionBench bench = new SessionBench();
    private final NettyMediaMemory memory = bench.memory;
    private final FakePlayback session = bench.session;
    private final Live open = bench.open;
    private final Live restricted = bench.restricted;

    @Test
    void unknown_sessionNumberAndPath_are404WithTheEnvelope() {
        Viewer viewer = new Viewer(Viewer.showing(session));
        String expected =
                "HTTP/1.1 404 Not Found\n"
                        + Viewer.COMMON
                        + """
                        referrer-policy: no-referrer
                        content-type: application/json
                        content-length: 100
                        cache-control: private, no-store
                        x-request-id: <uuid>

                        {"code":40401,"message":"not found","data":null,"request_id":"<uuid>"}""";
        for (String target :
                List.of(
                        "/id/other/s7.m4s",
                        "/id/ses/s70.m4s",
                        "/id/ses/init1.mp4",
                        "/",
                        "/id/..%2fx",
                        "/id/capped-1080p.mp4",
                        "/id/thumbnail.jpg")) {
            assertEquals(expected, withoutId(viewer.get(target)), target);
        }
        viewer.leavesNothing(memory, session);
    }

    @Test
    void error_requestId_isTheSameInHeaderAndBody() {
        String answer = bench.answer(open, "/");
        String id = answer.replaceAll("(?s).*\nx-request-id: (.*?)\n.*", "$1");
        assertTrue(id.matches(ANY_ID), id);
        assertTrue(answer.endsWith("\"request_id\":\"" + id + "\"}"), answer);
    }

    @Test
    void refused_decision_isAnsweredAsItSays() {
        PlaybackDecision later =
                new PlaybackDecision.Refused(404, 40401, "not yet", OptionalInt.of(5));
        String answer = bench.answer(later, "/id/capped-1080p.mp4");
        assertTrue(answer.startsWith("HTTP/1.1 404 Not Found\n"), answer);
        assertTrue(answer.contains("\nretry-after: 5\n"), answer);
        Viewer viewer = new Viewer(Viewer.refusing());
        String refusal = viewer.get("/id/ses/s7.m4s");
        assertTrue(refusal.startsWith("HTTP/1.1 403 Forbidden\n"), refusal);
        assertTrue(refusal.contains("{\"code\":40302,\"message\":\"token: expired\""), refusal);
        viewer.leavesNothing(memory, session);
    }

    @Test
    void method_notAllowed_is405WithAllow() {
        String answer = bench.answerTo(open, "DELETE", "/id.m3u8");
        assertTrue(answer.startsWith("HTTP/1.1 405 Method Not Allowed\n"), answer);
        assertTrue(answer.contains("\nallow: GET, HEAD, OPTIONS\n"), answer);
        assertTrue(answer.contains("{\"code\":40501,"), answer);
    }

    @Test
    void options_preflight_allowsRange() {
        assertEquals(
                "HTTP/1.1 204 No Content\n"
                        + Viewer.COMMON
                        + """
                        allow: GET, HEAD, OPTIONS
                        access-control-allow-methods: GET, HEAD, OPTIONS
                        access-control-allow-headers: Range, If-Range, If-None-Match, Cache-Control, \
                        Content-Type, CMCD-Object, CMCD-Request, CMCD-Session, CMCD-Status
                        access-control-max-age: 86400

                        """,
                bench.answerTo(
                        open,
                        "OPTIONS",
                        "/id/ses/s7.m4s",
                        "Origin: https://player.example",
                        "Access-Control-Request-Method: GET",
                        "Access-Control-Request-Headers: range"));
    }

    @Test
    void options_ofTheRoot_isAnswered() {
        for (String root : List.of("/", "*")) {
            String answer = bench.answerTo(open, "OPTIONS", root);
            assertTrue(answer.startsWith("HTTP/1.1 204 No Content\n"), answer);
        }
        assertTrue(bench.answerTo(open, "OPTIONS", "/a/b/c/d").startsWith("HTTP/1.1 404"));
    }

    @Test
    void access_everyRequest_isAskedWithWhatItNeeds() throws IOException {
        List<PlaybackRequest> asked = new ArrayList<>();
        Viewer viewer =
                new Viewer(
                        request -> {
                            asked.add(request);
                            return CompletableFuture.completedFuture(restricted);
                        });
        viewer.get("/id.m3u8?token=t", "Referer: https://a.example/");
        viewer.get("/id/~g/ses/s7.m4s");
        viewer.get("/id/capped-1080p.mp4?token=t");
        viewer.get("/id/thumbnail.jpg");
        InetAddress peer = InetAddress.getLoopbackAddress();
        assertEquals(
                List.of(
                        new PlaybackRequest(
                                "id",
                                PlaybackRequest.Resource.MULTIVARIANT,
                                Optional.of("t"),
                                Optional.empty(),
                                peer,
                                Optional.of("https://a.example/")),
                        new PlaybackRequest(
                                "id",
                                PlaybackRequest.Resource.MEDIA,
                                OptionalLong.of(7),
                                Optional.empty(),
                                Optional.of("g"),
                                peer,
                                Optional.empty()),
                        new PlaybackRequest(
                                "id",
                                PlaybackRequest.Resource.MP4,
                                Optional.of("t"),
                                Optional.empty(),
                                peer,
                                Optional.empty()),
                        new PlaybackRequest(
                                "id",
                                PlaybackRequest.Resource.THUMBNAIL,
                                Optional.empty(),
                                Optional.empty(),
                                peer,
                                Optional.empty())),
                asked);
        viewer.leavesNothing(memory, session);
    }

    @Test
    void access_answersLaterOrFails_isWaitedForAnd500() {
        CompletableFuture<PlaybackDecision> later = new CompletableFuture<>();
        Viewer viewer = new Viewer(_ -> later);
        viewer.send("GET /id/ses/s7.m4s HTTP/1.1\r\nHost: t\r\n\r\n");
        assertEquals("", viewer.received());
        later.complete(open);
        assertTrue(viewer.received().startsWith("HTTP/1.1 200 "));
        viewer.leavesNothing(memory, session);
        Viewer other =
                new Viewer(
                        _ -> CompletableFuture.failedFuture(new IllegalStateException("a test's")));
        assertTrue(
                other.get("/id.m3u8").contains("{\"code\":50001,\"message\":\"internal error\""));
        other.leavesNothing(memory);
    }

    @Test
    void access_answersAfterTheViewerLeft_isForgotten() {
        CompletableFuture<PlaybackDecision> later = new CompletableFuture<>();
        Viewer viewer = new Viewer(_ -> later);
        viewer.send("GET /id/ses/s7.m4s HTTP/1.1\r\nHost: t\r\n\r\n");
        viewer.leave();
        later.complete(open);
        viewer.leavesNothing(memory, session);
    }

    @Test
    void counters_eachKindAndClass_areCounted() {
        Viewer viewer = new Viewer(Viewer.showing(session));
        viewer.get("/id.m3u8");
        viewer.get("/id/ses/media.m3u8");
        viewer.get("/id/ses/init0.mp4");
        viewer.get("/id/ses/s7.m4s");
        viewer.get("/id/ses/s7.1.m4s");
        viewer.get("/nothing.txt");
        assertEquals(1, viewer.counters.openConnections());
        for (DeliveryCounters.Kind kind :
                List.of(
                        DeliveryCounters.Kind.MULTIVARIANT,
                        DeliveryCounters.Kind.MEDIA_PLAYLIST,
                        DeliveryCounters.Kind.INIT,
                        DeliveryCounters.Kind.SEGMENT,
                        DeliveryCounters.Kind.PART,
                        DeliveryCounters.Kind.OTHER)) {
            assertEquals(1, viewer.counters.requests(kind), kind.toString());
        }
        assertEquals(5, viewer.counters.answers(2));
        assertEquals(1, viewer.counters.answers(4));
        assertEquals(26 + 32 + 8 + 16 + 8 + 100, viewer.counters.bytesOut());
        viewer.leavesNothing(memory, session);
    }
}
