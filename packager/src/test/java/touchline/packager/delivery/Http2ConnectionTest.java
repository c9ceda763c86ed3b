package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.codec.http2.Http2Error;
import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.packager.hls.LivePlayback.PlaylistKind;

class Http2ConnectionTest {
    private static final int LARGE_BYTES = 900_000;

    private final NettyMediaMemory memory = new NettyMediaMemory();
    private final byte[] large = new byte[LARGE_BYTES];
    private final FakePlayback session = new FakePlayback("ses", memory);
    private Http2Viewer viewer;

    Http2ConnectionTest() {
        new Random(3).nextBytes(large);
        session.blocks("s1", new byte[3])
                .blocks(
                        "s2",
                        Arrays.copyOfRange(large, 0, 300_000),
                        Arrays.copyOfRange(large, 300_000, LARGE_BYTES))
                .playlistText(PlaylistKind.WINDOW, 1, "#EXTM3U\n");
        viewer = new Http2Viewer(Viewer.showing(session));
    }

    /** Another viewer, with settings of its own. */
    private void viewerWith(int... settings) {
        viewer.leavesNothing(new NettyMediaMemory());
        viewer = new Http2Viewer(Viewer.showing(session), settings);
    }

    @AfterEach
    void nothingIsLeft() {
        viewer.leavesNothing(memory, session);
    }

    @Test
    void request_get_isAnsweredWithTheHeadersOfHttp1ButTheConnections() {
        Http2Viewer.Answer answer = viewer.get(1, "/id/ses/s1.m4s").answer(1);
        StringBuilder head = new StringBuilder();
        answer.heads
                .getFirst()
                .forEach(field -> head.append(field.getKey() + ": " + field.getValue() + '\n'));
        assertEquals(
                ":status: 200\n"
                        + Viewer.COMMON
                        + """
                        content-type: video/mp4
                        etag: "ses.s1"
                        accept-ranges: bytes
                        cache-control: public, max-age=31536000, immutable
                        content-length: 3
                        """,
                head.toString());
        assertEquals(3, answer.body.size());
        assertTrue(answer.ended);
        assertEquals(-1, answer.resetCode);
        assertEquals(1, viewer.counters.requests(DeliveryCounters.Protocol.HTTP_2));
        assertEquals(1, viewer.counters.requests(DeliveryCounters.Kind.SEGMENT));
    }

    @Test
    void frames_cutAtEveryByte_areAnswered() {
        byte[] request = Http2Frames.get(1, "/id/ses/s1.m4s");
        for (int i = 1; i < request.length; i++) {
            int stream = 2 * i - 1;
            byte[] own = Http2Frames.get(stream, "/id/ses/s1.m4s");
            viewer.send(Arrays.copyOf(own, i));
            assertEquals("none", viewer.answer(stream).status());
            viewer.send(Arrays.copyOfRange(own, i, own.length));
            assertEquals("200", viewer.answer(stream).status());
        }
    }

    @Test
    void body_largerThanTheWindows_followsThem() {
        Http2Viewer.Answer answer = viewer.get(1, "/id/ses/s2.m4s").answer(1);
        assertEquals(65_535, answer.body.size());
        for (int i = 0; i < LARGE_BYTES / 40_000 && !answer.ended; i++) {
            viewer.send(Http2Frames.windowUpdate(0, 50_000), Http2Frames.windowUpdate(1, 40_000));
        }
        assertTrue(answer.ended);
        assertArrayEquals(large, answer.body.toByteArray());
        assertEquals(LARGE_BYTES, viewer.counters.bytesOut());
    }

    @Test
    void reload_held_doesNotHoldTheOtherStreams() {
        viewer.get(1, "/id/ses/media.m3u8?_HLS_msn=5").get(3, "/id/ses/s1.m4s");
        assertEquals("none", viewer.answer(1).status());
        assertEquals("200", viewer.answer(3).status());
        session.reached(5, OptionalInt.empty(), true);
        viewer.receive();
        assertEquals("200", viewer.answer(1).status());
        assertEquals("#EXTM3U\n", viewer.answer(1).text());
    }

    @Test
    void reload_reset_isForgotten() {
        viewer.get(1, "/id/ses/media.m3u8?_HLS_msn=5");
        assertEquals(1, viewer.counters.blockedNow());
        viewer.send(Http2Frames.reset(1));
        assertEquals(0, viewer.counters.blockedNow());
    }

    @Test
    void head_request_hasTheLengthAndNoBody() {
        byte[] block = Http2Frames.block("HEAD", "/id/ses/s2.m4s");
        viewer.send(
                Http2Frames.frame(
                        Http2Frames.HEADERS,
                        Http2Frames.END_HEADERS | Http2Frames.END_STREAM,
                        1,
                        block));
        assertEquals(
                LARGE_BYTES, viewer.answer(1).heads.getFirst().getInt("content-length").intValue());
        assertEquals(0, viewer.answer(1).body.size());
        assertTrue(viewer.answer(1).ended);
    }

    @Test
    void requests_beyondTheLimits_areRefusedOneByOne() {
        String fits = "/" + "a".repeat(16 * 1024 - "GET / HTTP/1.1\r\n".length());
        viewer.get(1, fits).get(3, fits + "a").get(5, "/id.m3u8", "x", "a".repeat(33_000));
        byte[] brew = Http2Frames.block("BREW", "/id.m3u8");
        viewer.send(Http2Frames.frame(Http2Frames.HEADERS, 5, 7, brew)).get(9, "/id/ses/s1.m4s");
        assertEquals("404", viewer.answer(1).status());
        assertEquals("414", viewer.answer(3).status());
        assertEquals("431", viewer.answer(5).status());
        assertEquals("400", viewer.answer(7).status());
        assertEquals("200", viewer.answer(9).status());
        assertTrue(viewer.answer(5).text().contains("\"code\":43101"), viewer.answer(5).text());
    }

    @Test
    void request_withBody_is413AndItsRestUnwanted() {
        byte[] block = Http2Frames.block("POST", "/id.m3u8");
        viewer.send(
                Http2Frames.frame(Http2Frames.HEADERS, Http2Frames.END_HEADERS, 1, block),
                Http2Frames.frame(Http2Frames.DATA, 0, 1, new byte[1000]));
        assertEquals("413", viewer.answer(1).status());
        assertTrue(viewer.answer(1).ended);
        assertEquals(Http2Error.NO_ERROR.code(), viewer.answer(1).resetCode);
        assertEquals("200", viewer.get(3, "/id/ses/s1.m4s").answer(3).status());
    }

    @Test
    void streams_thatReadNothing_costABoundedAmountAndAreCut() {
        viewerWith(Http2Frames.INITIAL_WINDOW_SIZE, 0);
        for (int i = 0; i < Http2Connection.MAX_STREAMS; i++) {
            viewer.get(2 * i + 1, "/id/ses/s2.m4s");
        }
        Http2Connection connection = viewer.channel.pipeline().get(Http2Connection.class);
        assertEquals("200", viewer.answer(199).status());
        assertTrue(connection.pendingBytes() > Http2Connection.MAX_PENDING_BYTES / 2);
        assertTrue(
                connection.pendingBytes()
                        <= Http2Connection.MAX_PENDING_BYTES
                                + Http2Connection.MAX_STREAMS * BodyChunks.FRAMED.maxBytes());
        viewer.pass(Duration.ofSeconds(18));
        assertEquals(1, viewer.counters.slowViewersCut());
        assertFalse(viewer.channel.isOpen());
        assertEquals(0, connection.pendingBytes());
    }

    @Test
    void stream_thatReadsNothing_isCutAloneWhereOthersMove() {
        viewerWith(Http2Frames.INITIAL_WINDOW_SIZE, 0);
        viewer.get(1, "/id/ses/s2.m4s").get(3, "/id/ses/s2.m4s");
        for (int i = 0; i < 18; i++) {
            viewer.send(Http2Frames.windowUpdate(0, 20_000), Http2Frames.windowUpdate(3, 20_000));
            viewer.pass(Duration.ofSeconds(1));
        }
        assertEquals(Http2Error.CANCEL.code(), viewer.answer(1).resetCode);
        assertEquals(-1, viewer.answer(3).resetCode);
        assertEquals(18 * 20_000, viewer.answer(3).body.size());
        assertTrue(viewer.channel.isOpen());
        assertEquals(1, viewer.counters.slowViewersCut());
    }

    @Test
    void stream_thatTakesMediaForTooLong_isCut() {
        viewerWith(Http2Frames.INITIAL_WINDOW_SIZE, 0);
        viewer.get(1, "/id/ses/s2.m4s");
        for (int i = 0; i < 10; i++) {
            assertEquals(-1, viewer.answer(1).resetCode);
            viewer.send(Http2Frames.windowUpdate(0, 20_000), Http2Frames.windowUpdate(1, 20_000));
            viewer.pass(Duration.ofSeconds(6));
        }
        viewer.pass(Duration.ofSeconds(3));
        assertEquals(Http2Error.CANCEL.code(), viewer.answer(1).resetCode);
        assertTrue(viewer.channel.isOpen());
    }

    @Test
    void connection_withoutStreams_getsGoAwayAfterTheIdleTime() {
        viewer.pass(Duration.ofSeconds(50)).get(1, "/id/ses/s1.m4s");
        viewer.pass(Duration.ofSeconds(50));
        assertTrue(viewer.channel.isOpen());
        viewer.pass(Duration.ofSeconds(13));
        assertTrue(viewer.receivedGoAway());
        assertFalse(viewer.channel.isOpen());
        assertEquals(1, viewer.counters.timeouts());
    }

    @Test
    void head_unfinished_isCutAfterTheHeadTime() {
        byte[] block = Http2Frames.block("GET", "/id/ses/s1.m4s");
        byte[] open = Http2Frames.frame(Http2Frames.HEADERS, Http2Frames.END_STREAM, 1, block);
        viewer.send(open);
        for (int i = 0; i < 7; i++) {
            viewer.pass(Duration.ofSeconds(1));
            viewer.send(Http2Frames.frame(Http2Frames.CONTINUATION, 0, 1, new byte[0]));
        }
        assertTrue(viewer.channel.isOpen());
        viewer.pass(Duration.ofSeconds(6));
        assertFalse(viewer.channel.isOpen());
        assertEquals(1, viewer.counters.timeouts());
    }

    @Test
    void frame_dripping_isCutAfterTheHeadTime() {
        byte[] ping = Http2Frames.frame(Http2Frames.PING, 0, 0, new byte[8]);
        viewer.send(ping);
        for (int i = 0; i < 12; i++) {
            viewer.send(Arrays.copyOfRange(ping, i, i + 1));
            viewer.pass(Duration.ofMillis(900));
        }
        viewer.pass(Duration.ofSeconds(3));
        assertFalse(viewer.channel.isOpen());
    }

    @Test
    void resets_inQuickSuccession_endTheConnection() {
        for (int i = 0; i < 400 && viewer.channel.isOpen(); i++) {
            int stream = 2 * i + 1;
            viewer.get(stream, "/id/ses/media.m3u8?_HLS_msn=5").send(Http2Frames.reset(stream));
        }
        viewer.pass(Duration.ofSeconds(4));
        assertFalse(viewer.channel.isOpen());
        assertTrue(viewer.receivedGoAway());
        assertEquals(0, viewer.counters.blockedNow());
    }

    @Test
    void streams_aboveTheLimit_areRefused() {
        for (int i = 0; i <= Http2Connection.MAX_STREAMS; i++) {
            viewer.get(2 * i + 1, "/id/ses/media.m3u8?_HLS_msn=5");
        }
        assertEquals(Http2Connection.MAX_STREAMS, viewer.counters.blockedNow());
        assertEquals(Http2Error.REFUSED_STREAM.code(), viewer.answer(201).resetCode);
    }

    @Test
    void closing_heldRequest_isAnsweredAndTheConnectionEnds() {
        viewer.get(1, "/id/ses/media.m3u8?_HLS_msn=5");
        viewer.channel.pipeline().fireUserEventTriggered(ConnectionEvent.CLOSING);
        viewer.receive();
        assertTrue(viewer.receivedGoAway());
        assertEquals("503", viewer.answer(1).status());
        assertFalse(viewer.channel.isOpen());
    }

    @Test
    void table_ofSentFields_growsWithNothingThatChanges() {
        viewerWith(/* HEADER_TABLE_SIZE */ 1, 1 << 30);
        viewer.get(1, "/id/ses/s1.m4s").get(3, "/id/ses/s1.m4s");
        for (int i = 0; i < 2000; i++) {
            viewer.get(2 * i + 5, "/none").send(Http2Frames.windowUpdate(0, 1000));
        }
        viewer.get(5001, "/id/ses/s1.m4s");
        // an index counts from the newest entry: it gets longer with what came after
        assertEquals(viewer.answer(3).headBytes, viewer.answer(5001).headBytes);
    }
}
