package touchline.packager.delivery;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.packager.delivery.SessionBench.ascii;
import static touchline.packager.delivery.SessionBench.body;
import static touchline.packager.delivery.SessionBench.withoutId;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.packager.delivery.PlaybackDecision.Live;
import touchline.packager.hls.MediaBody;

class MediaAnswersTest {
    private final SessionBench bench = new SessionBench();
    private final NettyMediaMemory memory = bench.memory;
    private final FakePlayback session = bench.session;
    private final Live open = bench.open;
    private final Live restricted = bench.restricted;

    @TempDir Path folder;

    @Test
    void segment_whole_isTheWholeAnswer() {
        assertEquals(
                "HTTP/1.1 200 OK\n"
                        + Viewer.COMMON
                        + """
                        content-type: video/mp4
                        etag: "ses.s7"
                        accept-ranges: bytes
                        cache-control: public, max-age=31536000, immutable
                        content-length: 16

                        moofmdatMOOFMDAT""",
                bench.answer(open, "/id/ses/s7.m4s"));
    }

    /** The last block lifts the channel above its mark, and its flush below it again. */
    @Test
    void segment_aboveTheHighWaterMark_isSentOnce() {
        byte[][] blocks = new byte[4][330_000];
        StringBuilder whole = new StringBuilder();
        for (int i = 0; i < blocks.length; i++) {
            Arrays.fill(blocks[i], (byte) ('a' + i));
            whole.append(new String(blocks[i], ISO_8859_1));
        }
        bench.session.blocks("s8", blocks);

        assertEquals(whole.toString(), SessionBench.body(bench.answer(open, "/id/ses/s8.m4s")));
    }

    @Test
    void part_restricted_isPrivate() {
        assertEquals(
                "HTTP/1.1 200 OK\n"
                        + Viewer.COMMON
                        + """
                        referrer-policy: no-referrer
                        content-type: video/mp4
                        etag: "ses.s7.1"
                        accept-ranges: bytes
                        cache-control: private, max-age=31536000, immutable
                        content-length: 8

                        MOOFMDAT""",
                bench.answer(restricted, "/id/~g.r-a_nt/ses/s7.1.m4s"));
    }

    @Test
    void segment_range_crossesBlocks() {
        assertEquals(
                "HTTP/1.1 206 Partial Content\n"
                        + Viewer.COMMON
                        + """
                        content-type: video/mp4
                        etag: "ses.s7"
                        accept-ranges: bytes
                        cache-control: public, max-age=31536000, immutable
                        content-range: bytes 6-9/16
                        content-length: 4

                        atMO""",
                bench.answer(open, "/id/ses/s7.m4s", "Range: bytes=6-9"));
    }

    @Test
    void segment_suffixRangeWithItsTag_isSliced() {
        assertEquals(
                "DAT",
                body(
                        bench.answer(
                                open,
                                "/id/ses/s7.m4s",
                                "Range: bytes=-3",
                                "If-Range: \"ses.s7\"")));
    }

    @Test
    void segment_rangeOfAnotherRepresentationOrSeveral_isWhole() {
        assertTrue(
                bench.answer(open, "/id/ses/s7.m4s", "Range: bytes=0-1,4-5")
                        .startsWith("HTTP/1.1 200 "));
        session.blocks("s8", ascii("x"));
        assertTrue(
                bench.answer(open, "/id/ses/s8.m4s", "Range: bytes=0-0", "If-Range: \"old\"")
                        .startsWith("HTTP/1.1 200 "));
    }

    @Test
    void segment_rangeBehindTheEnd_is416() {
        assertEquals(
                "HTTP/1.1 416 Requested Range Not Satisfiable\n"
                        + Viewer.COMMON
                        + """
                        referrer-policy: no-referrer
                        content-type: application/json
                        content-length: 112
                        cache-control: private, no-store
                        x-request-id: <uuid>
                        content-range: bytes */16

                        {"code":41601,"message":"range not satisfiable","data":null,"request_id":"<uuid>"}""",
                withoutId(bench.answer(open, "/id/ses/s7.m4s", "Range: bytes=16-")));
    }

    @Test
    void segment_headWithRange_isTheHeadOfTheWhole() {
        String answer = bench.answerTo(open, "HEAD", "/id/ses/s7.m4s", "Range: bytes=0-1");
        assertTrue(answer.startsWith("HTTP/1.1 200 OK\n"), answer);
        assertTrue(answer.endsWith("\ncontent-length: 16\n\n"), answer);
    }

    @Test
    void segment_onDisk_goesOutAsAFileRegion() throws IOException {
        Path file = Files.writeString(folder.resolve("f"), "0123456789");
        session.file("s9", new MediaBody.FileRange(file, 2, 6));
        assertEquals("234567", body(bench.answer(open, "/id/ses/s9.m4s")));
    }

    @Test
    void segment_onDiskButGone_is404AndTooShort_is500() throws IOException {
        Path file = Files.writeString(folder.resolve("f"), "0123456789");
        session.file("s9", new MediaBody.FileRange(folder.resolve("gone"), 0, 6));
        session.file("s10", new MediaBody.FileRange(file, 5, 6));
        Viewer viewer = new Viewer(Viewer.showing(session));
        assertTrue(viewer.get("/id/ses/s9.m4s").startsWith("HTTP/1.1 404 "));
        String fault = viewer.get("/id/ses/s10.m4s");
        assertTrue(fault.startsWith("HTTP/1.1 500 "), fault);
        assertFalse(fault.contains(folder.toString()), fault);
        viewer.leavesNothing(memory, session);
    }

    @Test
    void part_hinted_isHeldUntilItIsThere() {
        Viewer viewer = new Viewer(Viewer.showing(session));
        viewer.send("GET /id/ses/s7.2.m4s HTTP/1.1\r\nHost: t\r\n\r\n");
        assertEquals("", viewer.received());
        session.blocks("s7.2", ascii("part2"));
        session.reached(7, OptionalInt.of(2), true);
        assertEquals("part2", body(viewer.received()));
        viewer.leavesNothing(memory, session);
    }

    @Test
    void part_neverMadeOrTooFarAhead_is404() {
        session.limit(9);
        session.reached(6, OptionalInt.of(0), true);
        Viewer viewer = new Viewer(Viewer.showing(session));
        assertTrue(viewer.get("/id/ses/s6.0.m4s").startsWith("HTTP/1.1 404 "));
        assertTrue(viewer.get("/id/ses/s10.0.m4s").startsWith("HTTP/1.1 404 "));
        viewer.leavesNothing(memory, session);
    }
}
