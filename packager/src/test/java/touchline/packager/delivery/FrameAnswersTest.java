package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.packager.hls.MediaBody;

class FrameAnswersTest {
    private static final String FRAME = "/frames/a1B2c3D4.jpg?exp=1700000000&sig=s-_x";

    @TempDir Path folder;

    private final List<FrameRequest> asked = new ArrayList<>();

    private Viewer viewer(FrameDecision decision) {
        return new Viewer(
                new PlaybackAccess() {
                    @Override
                    public CompletionStage<PlaybackDecision> resolve(PlaybackRequest request) {
                        return CompletableFuture.completedFuture(
                                PlaybackDecision.Refused.NOT_FOUND);
                    }

                    @Override
                    public CompletionStage<FrameDecision> frame(FrameRequest request) {
                        asked.add(request);
                        return CompletableFuture.completedFuture(decision);
                    }
                });
    }

    private FrameDecision image() throws IOException {
        Path file = Files.writeString(folder.resolve("frame.jpg"), "JFIF6789");
        return new FrameDecision.Image(new MediaBody.FileRange(file, 0, 8));
    }

    private static String request(String method, String target) {
        return method + " " + target + " HTTP/1.1\r\nHost: t\r\n\r\n";
    }

    @Test
    void frame_goodLink_isTheImageAndPrivate() throws Exception {
        String answer = viewer(image()).exchange(request("GET", FRAME));

        assertEquals(
                "HTTP/1.1 200 OK\n"
                        + Viewer.COMMON
                        + """
                        referrer-policy: no-referrer
                        content-type: image/jpeg
                        etag: "f.a1B2c3D4"
                        accept-ranges: bytes
                        cache-control: private, max-age=86400
                        content-length: 8

                        JFIF6789""",
                answer);
        assertEquals(List.of(new FrameRequest("a1B2c3D4", "1700000000", "s-_x")), asked);
        assertFalse(asked.getFirst().toString().contains("s-_x"));
    }

    @Test
    void frame_headAndRange_areAnsweredAsMediaIs() throws Exception {
        String head = viewer(image()).exchange(request("HEAD", FRAME));
        String range =
                viewer(image())
                        .exchange(
                                "GET "
                                        + FRAME
                                        + " HTTP/1.1\r\nHost: t\r\nRange: bytes=4-5\r\n\r\n");

        assertTrue(head.contains("content-length: 8"), head);
        assertEquals("", SessionBench.body(head));
        assertTrue(range.startsWith("HTTP/1.1 206"), range);
        assertEquals("67", SessionBench.body(range));
    }

    @Test
    void frame_refused_isTheEnvelope() {
        FrameDecision refused =
                new FrameDecision.Refused(
                        new PlaybackDecision.Refused(
                                403, 40302, "link expired", OptionalInt.empty()));

        String answer = viewer(refused).exchange(request("GET", FRAME));

        assertTrue(answer.startsWith("HTTP/1.1 403"), answer);
        assertTrue(answer.contains("cache-control: private, no-store"), answer);
        assertTrue(answer.contains("\"code\":40302,\"message\":\"link expired\""), answer);
    }

    @Test
    void frame_fileGone_is404() {
        FrameDecision gone =
                new FrameDecision.Image(new MediaBody.FileRange(folder.resolve("gone"), 0, 8));

        String answer = viewer(gone).exchange(request("GET", FRAME));

        assertTrue(answer.startsWith("HTTP/1.1 404"), answer);
    }

    @Test
    void frame_otherMethods_areNotAsked() throws Exception {
        String post = viewer(image()).exchange(request("POST", FRAME));
        String options = viewer(image()).exchange(request("OPTIONS", FRAME));

        assertTrue(post.startsWith("HTTP/1.1 405"), post);
        assertTrue(options.startsWith("HTTP/1.1 204"), options);
        assertEquals(List.of(), asked);
    }

    @Test
    void parse_parametersInAnyOrder_orMissing() {
        assertEquals(
                Optional.of(new FrameRequest("abc", "12", "xyz")),
                FrameRequest.parse("/frames/abc.jpg?sig=xyz&other=1&exp=12"));
        assertEquals(
                Optional.of(new FrameRequest("abc", "", "")),
                FrameRequest.parse("/frames/abc.jpg"));
        assertEquals(
                Optional.of(new FrameRequest("abc", "", "")),
                FrameRequest.parse("/frames/abc.jpg?nexp=12&SIG=x"));
    }

    @Test
    void parse_otherPaths_nameNoFrame() {
        for (String target :
                List.of(
                        "/frames/",
                        "/frames/.jpg",
                        "/frames/a.jpg/",
                        "/frames/../a.jpg",
                        "/frames/%61.jpg",
                        "/frames/a-b.jpg",
                        "/frames/a/b.jpg",
                        "/frames/a.png",
                        "/frames",
                        "/framesa.jpg",
                        "/frames/" + "a".repeat(65) + ".jpg",
                        "/id/thumbnail.jpg")) {
            assertEquals(Optional.empty(), FrameRequest.parse(target), target);
        }
    }
}
