package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What was decided before a wait is decided again after it, for restricted ids. */
class AccessAfterWaitTest {
    private static final PlaybackDecision REFUSED =
            new PlaybackDecision.Refused(403, 40302, "key deleted", OptionalInt.empty());

    private final SessionBench bench = new SessionBench();
    private PlaybackDecision decision = bench.restricted;
    private int asked;
    private final Viewer viewer =
            new Viewer(
                    _ -> {
                        asked++;
                        return CompletableFuture.completedFuture(decision);
                    });

    private String afterWaiting(String target, int part, PlaybackDecision then) {
        viewer.send("GET " + target + " HTTP/1.1\r\nHost: t\r\n\r\n");
        assertEquals("", viewer.received());
        decision = then;
        bench.session.reached(8, OptionalInt.of(part), /* available= */ true);
        return viewer.received();
    }

    @Test
    void reload_keyDeletedWhileItWaits_is403() {
        String answer = afterWaiting("/id/~g/ses/media.m3u8?_HLS_msn=8&_HLS_part=0", 0, REFUSED);

        assertTrue(answer.startsWith("HTTP/1.1 403 Forbidden\n"), answer);
        assertTrue(answer.contains("{\"code\":40302,"), answer);
        viewer.leavesNothing(bench.memory, bench.session);
    }

    @Test
    void part_keyDeletedWhileItWaits_is403() {
        String answer = afterWaiting("/id/~g/ses/s8.1.m4s", 1, REFUSED);

        assertTrue(answer.startsWith("HTTP/1.1 403 Forbidden\n"), answer);
        viewer.leavesNothing(bench.memory, bench.session);
    }

    @Test
    void reload_stillAllowed_isAnsweredOnce() {
        String target = "/id/~g/ses/media.m3u8?_HLS_msn=8&_HLS_part=0";
        String answer = afterWaiting(target, 0, bench.restricted);

        assertTrue(answer.startsWith("HTTP/1.1 200 OK\n"), answer);
        assertEquals(1, answer.split("HTTP/1.1 ", -1).length - 1);
        assertEquals(2, asked);
        viewer.leavesNothing(bench.memory, bench.session);
    }

    @Test
    void reload_openId_isAskedOnce() {
        decision = bench.open;
        String target = "/id/ses/media.m3u8?_HLS_msn=8&_HLS_part=0";
        String answer = afterWaiting(target, 0, REFUSED);

        assertTrue(answer.startsWith("HTTP/1.1 200 OK\n"), answer);
        assertEquals(1, asked);
        viewer.leavesNothing(bench.memory, bench.session);
    }
}
