package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.packager.delivery.SessionBench.body;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.packager.hls.MediaBody;

class Mp4AnswersTest {
    private static final String MP4 = "/id/capped-1080p.mp4";
    private static final String DIGITS = "0123456789";

    private final SessionBench bench = new SessionBench();

    @TempDir Path folder;

    private PlaybackDecision.Mp4 open;

    @BeforeEach
    void write() throws IOException {
        open = movie(List.of("head", "0123", "456789"));
    }

    private PlaybackDecision.Mp4 movie(List<String> contents) throws IOException {
        List<MediaBody.FileRange> files = new ArrayList<>();
        for (String content : contents) {
            Path file = Files.writeString(folder.resolve("f" + files.size()), content + "torn");
            files.add(new MediaBody.FileRange(file, 0, content.length()));
        }
        return new PlaybackDecision.Mp4(
                new MediaBody.FileSequence(files), "\"tag.mp4\"", /* restricted= */ false);
    }

    @Test
    void mp4_whole_isAllFilesInARow() {
        assertEquals(
                "HTTP/1.1 200 OK\n"
                        + Viewer.COMMON
                        + """
                        content-type: video/mp4
                        etag: "tag.mp4"
                        accept-ranges: bytes
                        cache-control: public, max-age=31536000, immutable
                        content-length: 14

                        head0123456789""",
                bench.answer(open, MP4));
    }

    @Test
    void mp4_restrictedWithAName_isPrivateAndAnAttachment() {
        PlaybackDecision.Mp4 closed =
                new PlaybackDecision.Mp4(open.body(), open.entityTag(), /* restricted= */ true);
        assertEquals(
                "HTTP/1.1 200 OK\n"
                        + Viewer.COMMON
                        + """
                        referrer-policy: no-referrer
                        content-type: video/mp4
                        etag: "tag.mp4"
                        accept-ranges: bytes
                        cache-control: private, max-age=31536000, immutable
                        content-disposition: attachment; filename="final _ 2.mp4"
                        content-length: 14

                        head0123456789""",
                bench.answer(closed, MP4 + "?token=x&download=final+%2F%0D%0A%202.mp4"));
    }

    /** So that files of a deleted asset stay until they are sent; HEAD and 304 read none. */
    @Test
    void mp4_whileItsFilesAreRead_isInUse_andAfterwardsNot() throws IOException {
        List<String> uses = new ArrayList<>();
        PlaybackDecision.Mp4 watched =
                new PlaybackDecision.Mp4(
                        open.body(),
                        open.entityTag(),
                        /* restricted= */ false,
                        () -> {
                            uses.add("begun");
                            return () -> uses.add("over");
                        });

        assertEquals("head" + DIGITS, body(bench.answer(watched, MP4)));
        assertEquals(List.of("begun", "over"), uses);
        uses.clear();

        assertTrue(bench.answerTo(watched, "HEAD", MP4).startsWith("HTTP/1.1 200 "));
        assertTrue(
                bench.answer(watched, MP4, "If-None-Match: \"tag.mp4\"")
                        .startsWith("HTTP/1.1 304 "));
        assertTrue(bench.answer(watched, MP4, "Range: bytes=14-").startsWith("HTTP/1.1 416 "));
        assertEquals(List.of(), uses);

        Files.delete(folder.resolve("f0"));
        assertTrue(bench.answer(watched, MP4).startsWith("HTTP/1.1 404 "));
        assertEquals(List.of("begun", "over"), uses);
    }

    @Test
    void mp4_ranges_areExactAcrossFiles() {
        String whole = "head" + DIGITS;
        for (int first = 0; first < whole.length(); first++) {
            for (int last = first; last < whole.length(); last++) {
                String answer = bench.answer(open, MP4, "Range: bytes=" + first + "-" + last);
                assertTrue(answer.startsWith("HTTP/1.1 206 "), answer);
                assertTrue(
                        answer.contains("\ncontent-range: bytes " + first + "-" + last + "/14\n"));
                assertEquals(whole.substring(first, last + 1), body(answer));
            }
        }
        assertEquals("789", body(bench.answer(open, MP4, "Range: bytes=-3")));
        assertTrue(
                bench.answer(open, MP4, "Range: bytes=14-").startsWith("HTTP/1.1 416 "),
                "behind the end");
    }

    @Test
    void mp4_conditions_areAnswered() {
        assertTrue(
                bench.answer(open, MP4, "If-None-Match: \"tag.mp4\"").startsWith("HTTP/1.1 304 "));
        assertEquals(
                "hea", body(bench.answer(open, MP4, "Range: bytes=0-2", "If-Range: \"tag.mp4\"")));
        assertEquals(
                "head" + DIGITS,
                body(bench.answer(open, MP4, "Range: bytes=0-2", "If-Range: \"other\"")));
        String head = bench.answerTo(open, "HEAD", MP4);
        assertTrue(head.startsWith("HTTP/1.1 200 OK\n"), head);
        assertTrue(head.endsWith("\ncontent-length: 14\n\n"), head);
    }

    @Test
    void mp4_notThereYet_is404WithRetryAfter() {
        String answer =
                bench.answer(
                        new PlaybackDecision.Refused(404, 40401, "later", OptionalInt.of(5)), MP4);
        assertTrue(answer.startsWith("HTTP/1.1 404 "), answer);
        assertTrue(answer.contains("\nretry-after: 5\n"), answer);
    }

    @Test
    void mp4_deletedWhileItIsSent_endsWithTheConnection() throws IOException {
        Files.delete(folder.resolve("f2"));
        Viewer viewer = new Viewer(Viewer.deciding(open));
        String answer = viewer.get(MP4);
        assertTrue(answer.endsWith("\n\nhead0123"), answer);
        assertEquals(false, viewer.channel.isActive());
        viewer.leavesNothing(bench.memory, bench.session);
    }

    @Test
    void mp4_deletedBeforeIt_is404() throws IOException {
        Files.delete(folder.resolve("f0"));
        Viewer viewer = new Viewer(Viewer.deciding(open));
        assertTrue(viewer.get(MP4).startsWith("HTTP/1.1 404 "));
        viewer.leavesNothing(bench.memory, bench.session);
    }
}
