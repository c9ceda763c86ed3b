package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An operator sets up an overlay stream, sees both publishers, and moves the levels. */
@Timeout(480)
final class OverlayStreamConsoleIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    @TempDir private Path folder;

    @Test
    void operator_usesAnOverlayStream_seesBoth_andMixes() throws Exception {
        try (TestServer server = TestServer.start(folder);
                TestBrowser browser = TestBrowser.start()) {
            JsonNode stream = server.createStream("{\"title\":\"Cup final\"}");
            String id = stream.path("id").asText();
            browser.signIn(server);
            browser.evaluate("location.hash = '#/streams/" + id + "/scoreboard'");
            browser.await("document.querySelector('.placement')", SOON);
            browser.evaluate(
                    "[...document.querySelectorAll('button')]"
                            + ".find(b => b.textContent === 'Use an overlay stream instead').click()");
            browser.await("!document.querySelector('[name=volume_main]').disabled", SOON);
            TestServer.await("the scoreboard", SOON, () -> watermark(server, id).has("stream_key"));
            JsonNode stored = watermark(server, id);
            assertEquals("stream", stored.path("type").asText());

            try (Encoder main = push(server, "testsrc2", stream.path("stream_key").asText())) {
                browser.await(said("Main stream", "live"), SOON);
                browser.await(said("Overlay stream", "waiting for an encoder"), SOON);
                try (Encoder second =
                        Encoder.letIn(
                                SOON,
                                () ->
                                        push(
                                                server,
                                                "smptebars",
                                                stored.path("stream_key").asText()))) {
                    browser.await(said("Overlay stream", "live"), SOON);
                    browser.evaluate(
                            "document.querySelector('[name=volume_secondary]').value = 0.25;"
                                    + "document.querySelector('[name=volume_secondary]')"
                                    + ".dispatchEvent(new Event('change'))");
                    TestServer.await("the level", SOON, () -> level(server, id) == 0.25);
                    browser.await("document.querySelector('video')?.currentTime > 6", SOON);
                    browser.colourScheme("dark");
                    browser.save("overlay-stream-dark.png");
                    browser.colourScheme("light");
                    browser.save("overlay-stream-light.png");
                    assertTrue(second.isRunning(), second::output);
                }
                browser.await(said("Overlay stream", "encoder disconnected"), SOON);
                assertTrue(main.isRunning(), main::output);
            }
            browser.assertNoPolicyReports();
        }
    }

    private static String said(String push, String state) {
        return "document.querySelector('output[aria-label=\"%s\"]').textContent === '%s'"
                .formatted(push, state);
    }

    private static double level(TestServer server, String id) {
        return watermark(server, id).at("/audio_mix_settings/volume_secondary").asDouble();
    }

    private static JsonNode watermark(TestServer server, String id) {
        try {
            return server.stream(id).path("generate_watermark");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static Encoder push(TestServer server, String frame, String key) throws Exception {
        return Encoder.run(
                ("ffmpeg -v info -re -f lavfi -i %s=size=640x360:rate=30 -re -f lavfi -i"
                                + " sine=frequency=440:sample_rate=48000 -c:v libx264 -preset"
                                + " ultrafast -g 30 -pix_fmt yuv420p -b:v 500k -c:a aac -ac 2"
                                + " -f flv %s")
                        .formatted(frame, server.push(key))
                        .split(" ", -1));
    }
}
