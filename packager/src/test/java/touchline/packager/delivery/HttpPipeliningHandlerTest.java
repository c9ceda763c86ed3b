package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.media.net.ConnectionLimits;
import touchline.packager.hls.LivePlayback.PlaylistKind;

class HttpPipeliningHandlerTest {
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3})");

    private final NettyMediaMemory memory = new NettyMediaMemory();
    private final FakePlayback session =
            new FakePlayback("ses", memory)
                    .blocks("s1", new byte[3])
                    .blocks("s2", new byte[60_000], new byte[60_000])
                    .playlistText(PlaylistKind.WINDOW, 1, "#EXTM3U\n");
    private final Viewer viewer = new Viewer(Viewer.showing(session));

    @AfterEach
    void nothingIsLeft() {
        viewer.leavesNothing(memory, session);
    }

    private static String statuses(String answers) {
        return STATUS.matcher(answers).results().map(r -> r.group(1)).toList().toString();
    }

    private static String request(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: t\r\n\r\n";
    }

    @Test
    void requests_cutAtEveryByte_areAnswered() {
        String request = request("/id/ses/s1.m4s");
        for (int i = 1; i < request.length(); i++) {
            viewer.send(request.substring(0, i));
            assertEquals("", viewer.received());
            viewer.send(request.substring(i));
            assertEquals("[200]", statuses(viewer.received()));
        }
    }

    @Test
    void pipelined_heldRequestFirst_answersStayInOrder() {
        viewer.send(
                request("/id/ses/media.m3u8?_HLS_msn=5")
                        + request("/id/ses/s1.m4s")
                        + request("/id/none"));
        assertEquals("", viewer.received());
        assertFalse(viewer.channel.config().isAutoRead());
        session.reached(5, OptionalInt.empty(), true);
        assertEquals("[200, 200, 404]", statuses(viewer.received()));
        assertTrue(viewer.channel.config().isAutoRead());
        assertTrue(viewer.channel.isOpen());
    }

    @Test
    void pipelined_manyAtOnce_areAllAnsweredWithoutRecursion() {
        viewer.send(request("/id/ses/s1.m4s").repeat(500));
        assertEquals(500, STATUS.matcher(viewer.received()).results().count());
    }

    @Test
    void keepAlive_versionAndHeader_decide() {
        assertEquals(
                "keep-alive",
                connection("GET /id/ses/s1.m4s HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
        assertTrue(viewer.channel.isOpen());
        assertEquals(
                "close",
                connection("GET /id/ses/s1.m4s HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n"));
        assertFalse(viewer.channel.isOpen());
    }

    @Test
    void http10_withoutHost_isAnsweredAndClosed() {
        assertEquals("close", connection("GET /id/ses/s1.m4s HTTP/1.0\r\n\r\n"));
        assertFalse(viewer.channel.isOpen());
    }

    private String connection(String request) {
        return Pattern.compile("\nconnection: (.*)\n")
                .matcher(viewer.exchange(request))
                .results()
                .map((MatchResult r) -> r.group(1))
                .findFirst()
                .orElse("none");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BREW /id.m3u8 HTTP/1.1\r\nHost: t\r\n\r\n",
                "GET /id.m3u8 HTTP/1.1\r\n\r\n",
                "GET /id.m3u8 HTTP/1.1\r\nHost: t\r\nHost: u\r\n\r\n",
                "GET /id.m3u8 HTTP/1.1\r\nHost: t\r\nno colon\r\n\r\n",
                "GET /id.m3u8 HTTP/1.1\r\nHost: t\r\nContent-Length: -1\r\n\r\n",
                "GET /id.m3u8 HTTP/x\r\nHost: t\r\n\r\n",
                "nonsense\r\n\r\n"
            })
    void request_malformed_is400AndTheEnd(String request) {
        String answer = viewer.exchange(request + request("/id/ses/s1.m4s"));
        assertEquals("[400]", statuses(answer), answer);
        assertTrue(answer.contains("{\"code\":40001,\"message\":\"malformed request\""), answer);
        assertTrue(answer.contains("\nconnection: close\n"), answer);
        assertTrue(answer.contains("\naccess-control-allow-origin: *\n"), answer);
        assertFalse(viewer.channel.isOpen());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 3\r\n\r\nabc",
                "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
            })
    void request_withBody_is413AndTheEnd(String rest) {
        String answer = viewer.exchange("POST /id.m3u8 HTTP/1.1\r\nHost: t\r\n" + rest);
        assertEquals("[413]", statuses(answer));
        assertTrue(answer.contains("\"code\":41301"), answer);
        assertFalse(viewer.channel.isOpen());
    }

    @Test
    void requestLine_aroundTheLimit_is404Or414() {
        String fits = "/" + "a".repeat(16 * 1024 - "GET / HTTP/1.1".length() - 1);
        assertEquals("[404]", statuses(viewer.get(fits)));
        String answer = viewer.get(fits + "aaa");
        assertEquals("[414]", statuses(answer));
        assertTrue(answer.contains("\"code\":41401"), answer);
        assertFalse(viewer.channel.isOpen());
    }

    @Test
    void head_tooLong_is431AndTheEnd() {
        String fits = "X: " + "a".repeat(30_000);
        assertEquals("[200]", statuses(viewer.get("/id/ses/s1.m4s", fits)));
        String answer = viewer.get("/id/ses/s1.m4s", "X: " + "a".repeat(33_000));
        assertEquals("[431]", statuses(answer));
        assertTrue(answer.contains("\"code\":43101"), answer);
        assertFalse(viewer.channel.isOpen());
    }

    @Test
    void head_tooLongTogetherWithItsLine_is431() {
        assertEquals(
                "[431]",
                statuses(viewer.get("/" + "a".repeat(10_000), "X: " + "a".repeat(25_000))));
        assertFalse(viewer.channel.isOpen());
    }

    @Test
    void connection_withoutRequest_isClosedAfterTheIdleTime() {
        viewer.pass(Duration.ofSeconds(59));
        assertEquals("[200]", statuses(viewer.get("/id/ses/s1.m4s")));
        viewer.pass(Duration.ofSeconds(59));
        assertTrue(viewer.channel.isOpen());
        viewer.pass(Duration.ofSeconds(1));
        assertFalse(viewer.channel.isOpen());
        assertEquals(1, viewer.counters.timeouts());
    }

    @Test
    void head_dripping_isClosedAfterTheHeadTime() {
        viewer.send("GET /id");
        for (int i = 0; i < 9; i++) {
            viewer.pass(Duration.ofSeconds(1));
            viewer.send("x");
            assertTrue(viewer.channel.isOpen());
        }
        viewer.pass(Duration.ofSeconds(1));
        assertFalse(viewer.channel.isOpen());
        assertEquals(1, viewer.counters.timeouts());
    }

    @Test
    void viewer_takesNothing_isCutAndGivesEverythingBack() {
        viewer.channel.pipeline().addFirst("plug", new Plug());
        viewer.send(request("/id/ses/s2.m4s"));
        viewer.pass(Duration.ofSeconds(14));
        assertTrue(viewer.channel.isOpen());
        viewer.pass(Duration.ofSeconds(1));
        assertFalse(viewer.channel.isOpen());
        assertEquals(1, viewer.counters.slowViewersCut());
        assertEquals("", viewer.received());
    }

    @Test
    void viewer_takesAllInTheEnd_isKept() {
        Plug plug = new Plug();
        viewer.channel.pipeline().addFirst("plug", plug);
        viewer.send(request("/id/ses/s2.m4s"));
        viewer.pass(Duration.ofSeconds(14));
        plug.open = true;
        viewer.channel.flush();
        viewer.pass(Duration.ofSeconds(1));
        assertEquals("[200]", statuses(viewer.received()));
        assertTrue(viewer.channel.isOpen());
        assertEquals(120_000, viewer.counters.bytesOut());
    }

    @Test
    void closing_idle_isTheEndAtOnce() {
        viewer.channel.pipeline().fireUserEventTriggered(ConnectionEvent.CLOSING);
        assertFalse(viewer.channel.isOpen());
    }

    @Test
    void closing_heldRequest_isAnsweredFirst() {
        viewer.send(request("/id/ses/media.m3u8?_HLS_msn=5") + request("/id/ses/s1.m4s"));
        viewer.channel.pipeline().fireUserEventTriggered(ConnectionEvent.CLOSING);
        String answer = viewer.received();
        assertEquals("[503]", statuses(answer));
        assertTrue(answer.contains("\nconnection: close\n"), answer);
        assertFalse(viewer.channel.isOpen());
    }

    @Test
    void connections_tooMany_areClosedAtOnce() {
        ConnectionLimits limits = new ConnectionLimits(1, 0, _ -> false);
        Viewer first = new Viewer(Viewer.showing(session), limits);
        Viewer second = new Viewer(Viewer.showing(session), limits);
        assertTrue(first.channel.isOpen());
        assertFalse(second.channel.isOpen());
        assertEquals(1, second.counters.refusedConnections());
        assertFalse(first.channel.finish());
        assertEquals(0, limits.open());
    }

    /** A viewer whose receive window is shut: what is flushed stays in the channel. */
    private static final class Plug extends ChannelOutboundHandlerAdapter {
        private boolean open;

        @Override
        public void flush(ChannelHandlerContext ctx) {
            if (open) {
                ctx.flush();
            }
        }
    }
}
