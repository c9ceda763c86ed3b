package touchline.packager.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import touchline.media.net.ConnectionLimits;

final class PageHandlerTest {
    /** Answers each request with its kind, id and token. */
    private static final class Pages implements WatchPages {
        private final List<PageRequest> requests = new ArrayList<>();

        @Override
        public CompletionStage<PageDecision> page(PageRequest request) {
            requests.add(request);
            return CompletableFuture.completedFuture(
                    request.playbackId().equals("gone")
                            ? PageDecision.Refused.NOT_FOUND
                            : new PageDecision.Page(
                                    "text/html; charset=utf-8",
                                    "page",
                                    "default-src 'none'",
                                    request.token().isPresent()));
        }

        @Override
        public CompletionStage<Optional<PageFile>> file(String path) {
            return CompletableFuture.completedFuture(found(path));
        }

        private static Optional<PageFile> found(String path) {
            return path.equals("v1/watch.js")
                    ? Optional.of(
                            new PageFile(
                                    "text/javascript",
                                    ByteBuffer.wrap("script".getBytes(UTF_8)),
                                    Optional.of(ByteBuffer.wrap("packed".getBytes(UTF_8))),
                                    "abc"))
                    : Optional.empty();
        }
    }

    private final Pages pages = new Pages();
    private final Viewer viewer =
            new Viewer(Viewer.refusing(), new ConnectionLimits(100, 0, _ -> false), pages);

    @Test
    void page_namedByItsPath_isAnsweredWithItsPolicy() {
        String answer = viewer.get("/abc");
        assertTrue(answer.startsWith("HTTP/1.1 200 OK\n"), answer);
        assertTrue(answer.contains("\ncontent-security-policy: default-src 'none'\n"), answer);
        assertTrue(answer.contains("\ncache-control: public, max-age=1\n"), answer);
        assertFalse(answer.contains("referrer-policy"), answer);
        assertTrue(answer.endsWith("\n\npage"), answer);
        viewer.get("/abc/embed?token=t%2B1");
        viewer.get("/abc/oembed.json?maxwidth=320&maxheight=abc&url=x");
        viewer.get("/abc/watch.json");
        assertEquals(
                List.of(
                        PageRequest.Kind.WATCH,
                        PageRequest.Kind.EMBED,
                        PageRequest.Kind.OEMBED,
                        PageRequest.Kind.STATE),
                pages.requests.stream().map(PageRequest::kind).toList());
        assertEquals(Optional.of("t+1"), pages.requests.get(1).token());
        assertEquals(320, pages.requests.get(2).maxWidth().orElseThrow());
        assertTrue(pages.requests.get(2).maxHeight().isEmpty());
        assertFalse(pages.requests.get(1).toString().contains("t+1"), "masked");
    }

    @Test
    void page_ofASignedId_isPrivate_andSendsItsOriginOnly() {
        String answer = viewer.get("/abc?token=t");
        assertTrue(answer.contains("\ncache-control: private, max-age=1\n"), answer);
        assertTrue(answer.contains("\nreferrer-policy: strict-origin\n"), answer);
    }

    @Test
    void page_thatIsNotThere_getsTheEnvelope() {
        assertTrue(viewer.get("/gone").startsWith("HTTP/1.1 404 "));
        assertTrue(viewer.get("/abc/other").startsWith("HTTP/1.1 404 "));
        assertTrue(viewer.get("/a.b").startsWith("HTTP/1.1 404 "));
        assertTrue(viewer.get("/" + "a".repeat(65)).startsWith("HTTP/1.1 404 "));
        assertEquals(1, pages.requests.size());
        assertTrue(viewer.get("/abc?token=%zz").startsWith("HTTP/1.1 400 "));
        assertTrue(
                viewer.exchange("POST /abc HTTP/1.1\r\nHost: t\r\n\r\n")
                        .startsWith("HTTP/1.1 405 "));
    }

    @Test
    void pageAgain_unchanged_isNotSent() {
        String answer = viewer.get("/abc");
        int at = answer.indexOf("etag: ") + 6;
        String tag = answer.substring(at, answer.indexOf('\n', at));
        assertTrue(viewer.get("/abc", "If-None-Match: " + tag).startsWith("HTTP/1.1 304 "), tag);
    }

    @Test
    void file_isKeptForGood_andPackedOnDemand() {
        String plain = viewer.get("/~watch/v1/watch.js");
        assertTrue(plain.contains("\ncache-control: public, max-age=31536000, immutable\n"), plain);
        assertTrue(plain.endsWith("\n\nscript"), plain);
        String packed = viewer.get("/~watch/v1/watch.js?x", "Accept-Encoding: gzip");
        assertTrue(packed.contains("\ncontent-encoding: gzip\n"), packed);
        assertTrue(packed.contains("\netag: \"abcz\"\n"), packed);
        assertTrue(packed.endsWith("\n\npacked"), packed);
        assertTrue(viewer.get("/~watch/v0/watch.js").startsWith("HTTP/1.1 404 "));
        assertTrue(
                viewer.exchange("HEAD /~watch/v1/watch.js HTTP/1.1\r\nHost: t\r\n\r\n")
                        .endsWith("content-length: 6\n\n"));
    }
}
