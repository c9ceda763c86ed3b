package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** hls.js in Chromium while a scoreboard is put on, changed and taken off a live stream. */
@Timeout(480)
final class ScoreboardPlayerIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    /** One pixel in the corner of what the player shows, mean of red, green and blue. */
    private static final String CORNER =
            """
            (() => {
              const video = document.querySelector('video');
              const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
              context.drawImage(
                video, video.videoWidth - 20, video.videoHeight - 20, 1, 1, 0, 0, 1, 1);
              const at = context.getImageData(0, 0, 1, 1).data;
              return (at[0] + at[1] + at[2]) / 3;
            })()""";

    @TempDir private Path folder;
    private final PaintedPages pages = new PaintedPages();

    @Test
    void player_throughEveryChange_playsOn() throws Exception {
        try (TestServer server = TestServer.start(folder, Map.of(), () -> pages);
                TestBrowser browser = TestBrowser.start()) {
            JsonNode stream = server.createStream("{}");
            String path = "/live/v1/live-streams/" + stream.path("id").asText();
            try (Encoder encoder = Encoder.live(server.push(stream.path("stream_key").asText()))) {
                open(server, browser, stream.path("id").asText());
                watchForEnds(browser);
                double started = time(browser);

                put(server, path, "white");
                browser.await(CORNER + " > 225", SOON);
                put(server, path, "black");
                browser.await(CORNER + " < 30", SOON);
                server.call("DELETE", path + "/generated-watermark", "", 200);
                browser.await("Math.abs(" + CORNER + " - 128) < 90", SOON);
                double now = time(browser);
                browser.await("document.querySelector('video').currentTime > " + (now + 5), SOON);

                assertTrue(encoder.isRunning(), encoder::output);
                assertTrue(now > started + 1, "played from " + started + " to " + now);
                assertEquals(
                        List.of(),
                        browser.problems().stream().filter(each -> each.contains("hls")).toList());
                assertEquals(0, browser.evaluate("window.ends").asInt(), "the film ended or broke");
            }
        }
    }

    private static void put(TestServer server, String path, String colour) throws Exception {
        server.call(
                "PUT",
                path + "/generated-watermark",
                "{\"type\": \"html\", \"url\": \"https://a.example/" + colour + "\"}",
                200);
    }

    private static void open(TestServer server, TestBrowser browser, String stream)
            throws Exception {
        browser.signIn(server);
        TestServer.await(
                "the stream is active", SOON, () -> server.status(stream).equals("active"));
        browser.evaluate("location.hash = '#/streams/" + stream + "'");
        browser.await(
                "document.querySelector('video')?.currentTime > 0.5"
                        + " && document.querySelector('video').readyState > 2",
                SOON);
    }

    private static void watchForEnds(TestBrowser browser) throws Exception {
        browser.evaluate(
                """
                (() => {
                  window.ends = 0;
                  const video = document.querySelector('video');
                  for (const name of ['ended', 'error', 'emptied']) {
                    video.addEventListener(name, () => window.ends++);
                  }
                })()""");
    }

    private static double time(TestBrowser browser) throws Exception {
        return browser.evaluate("document.querySelector('video').currentTime").asDouble();
    }
}
