package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.codec.http.HttpHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.packager.thumbnail.Thumbnails;

/** What is answered without a frame; real ones are fetched where there is a whole server. */
class ThumbnailAnswersTest {
    private static final String THUMBNAIL = "/id/thumbnail.jpg";

    private final SessionBench bench = new SessionBench();
    private final PlaybackDecision shown =
            new PlaybackDecision.Thumbnail(
                    bench.session,
                    Thumbnails.ByDefault.NEWEST,
                    /* settled= */ false,
                    /* restricted= */ true);

    @AfterEach
    void close() {
        bench.session.close();
    }

    @Test
    void thumbnail_ofASessionWithoutFrames_is404() {
        String answer = bench.answer(shown, THUMBNAIL + "?time=1.5&width=320");
        assertTrue(answer.startsWith("HTTP/1.1 404 "), answer);
        assertTrue(answer.contains("\"code\":40401"), answer);
    }

    @ParameterizedTest
    @CsvSource({"time=-1, time: ", "time=NaN, time: ", "width=15, width: ", "width=x, width: "})
    void thumbnail_meaninglessParameter_is400AndNamed(String query, String named) {
        String answer = bench.answer(shown, THUMBNAIL + "?" + query);
        assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
        assertTrue(answer.contains("\"code\":40002,\"message\":\"" + named.strip()), answer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/id/ses/s7.m4s?time=x", "/id/ses/init0.mp4?width=0"})
    void parametersOfThumbnails_elsewhere_areIgnored(String target) {
        assertTrue(bench.answer(bench.open, target).startsWith("HTTP/1.1 200 "), target);
    }

    @ParameterizedTest
    @CsvSource({
        "true, false, 'public, max-age=31536000, immutable'",
        "false, false, 'public, max-age=1'",
        "true, true, 'private, max-age=31536000, immutable'",
        "false, true, 'private, max-age=1'"
    })
    void headers_ofThumbnails_cacheWhatIsSettled(
            boolean settled, boolean restricted, String cacheControl) {
        HttpHeaders headers =
                new ResponseHeaders(Viewer.CLOCK).thumbnail("\"t\"", settled, restricted);
        assertEquals("image/jpeg", headers.get("content-type"));
        assertEquals("*", headers.get("access-control-allow-origin"));
        assertEquals("\"t\"", headers.get("etag"));
        assertEquals(cacheControl, headers.get("cache-control"));
        assertEquals(restricted ? "no-referrer" : null, headers.get("referrer-policy"));
    }
}
