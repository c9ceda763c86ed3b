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

/**
 * Live renditions in the console: the forms, the list, and the player's menu of qualities. Frames
 * carry their numbers, so a change of the quality cannot show one twice or leave one out.
 */
@Timeout(480)
final class RenditionConsoleIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String STREAMS = "/live/v1/live-streams";
    private static final int FPS = 15;

    /** 240 s: sixteen cells along the top, bit 0 leftmost, white for 1. A key frame each second. */
    private static final List<String> NUMBERED =
            List.of(
                    "-filter_complex",
                    "nullsrc=size=20x2:rate=15,format=gray,"
                            + "geq=lum='16+219*lt(X,16)*mod(floor(N/pow(2,X)),2)',"
                            + "scale=640:32:flags=neighbor,format=yuv420p[cells];"
                            + "testsrc2=size=640x328:rate=15[frames];[cells][frames]vstack",
                    "-f",
                    "lavfi",
                    "-i",
                    "sine=frequency=440:sample_rate=48000",
                    "-t",
                    "240",
                    "-c:v",
                    "libx264",
                    "-preset",
                    "ultrafast",
                    "-g",
                    "15",
                    "-sc_threshold",
                    "0",
                    "-b:v",
                    "700k",
                    "-c:a",
                    "aac",
                    "-b:a",
                    "64k");

    /**
     * Notes frames whose numbers do not follow their media times. A frame that was too late to be
     * shown changes nothing.
     */
    private static final String WATCH =
            """
            (() => {
              const video = document.querySelector('video');
              const context = new OffscreenCanvas(640, 16).getContext('2d', { willReadFrequently: true });
              window.seen = { frames: 0, breaks: [] };
              let before = null;
              const shown = () => {
                video.requestVideoFrameCallback(shown);
                const frame = new VideoFrame(video);
                const width = frame.displayWidth;
                context.drawImage(frame, 0, 8 * width / 640, width, 16 * width / 640, 0, 0, 640, 16);
                const now = { time: frame.timestamp / 1e6, number: 0, width };
                frame.close();
                const pixels = context.getImageData(0, 8, 640, 1).data;
                for (let bit = 0; bit < 16; bit++) {
                  now.number |= pixels[(bit * 32 + 16) * 4] > 128 ? 1 << bit : 0;
                }
                if (before && before.time !== now.time) {
                  window.seen.frames++;
                  const off = now.number - before.number - (now.time - before.time) * FPS;
                  if (Math.abs(off) > 0.6) {
                    window.seen.breaks.push([before, now]);
                  }
                }
                before = now;
              };
              video.requestVideoFrameCallback(shown);
            })()"""
                    .replace("FPS", String.valueOf(FPS));

    @TempDir private Path folder;

    @Test
    void operator_choosesRenditions_seesThem_andChangesTheQuality() throws Exception {
        Path media = EncodedInputs.get("flv", NUMBERED);
        try (TestServer server =
                        TestServer.start(folder, Map.of("TOUCHLINE_ENCODER_SPEED", "ultrafast"));
                TestBrowser browser = TestBrowser.start()) {
            browser.signIn(server);
            String id = create(server, browser);
            changeSettings(server, browser, id);
            // The page is open before the encoder starts, and so before there are renditions.
            try (Encoder encoder = push(server, id, media)) {
                browser.await(rows() + ".length === 1", SOON);
                browser.await(rows() + "[0].textContent.includes('running')", SOON);
                assertTrue(
                        browser.evaluate(rows() + "[0].textContent")
                                .asText()
                                .startsWith("320 × 180400 kbit/s"));
                browser.await("document.querySelectorAll('.quality option').length === 3", SOON);
                changeQuality(browser);
                assertTrue(encoder.isRunning(), encoder::output);
            }
            browser.assertNoPolicyReports();
        }
    }

    private static String create(TestServer server, TestBrowser browser) throws Exception {
        browser.click(".empty:not([hidden]) button");
        browser.await("document.querySelector('dialog[open] [name=renditions]')", SOON);
        choose(browser, "dialog [name=renditions]", "list");
        browser.evaluate("document.querySelector('dialog [name=latency_mode]').value = 'low'");
        browser.fill("dialog [name=rendition_heights]", "181");
        browser.evaluate("document.querySelector('dialog form').requestSubmit()");
        browser.await(
                "[...document.querySelectorAll('dialog .field-error')]"
                        + ".some((each) => each.textContent.includes('even'))",
                SOON);
        browser.fill("dialog [name=rendition_heights]", "180:300, 144");
        browser.evaluate("document.querySelector('dialog form').requestSubmit()");
        browser.await("location.hash.startsWith('#/streams/')", SOON);
        browser.await("document.querySelector('[aria-label=Settings] form')", SOON);
        JsonNode made = server.call("GET", STREAMS, "", 200).at("/data/0");
        assertEquals(
                "[{\"height\":180,\"video_bitrate\":300000},{\"height\":144}]",
                made.path("renditions").toString());
        return made.path("id").asText();
    }

    private static void changeSettings(TestServer server, TestBrowser browser, String id)
            throws Exception {
        String form = "[aria-label=Settings] ";
        assertEquals(
                "180:300, 144",
                browser.evaluate(
                                "document.querySelector('"
                                        + form
                                        + "[name=rendition_heights]').value")
                        .asText());
        choose(browser, form + "[name=renditions]", "auto");
        browser.click(form + "button");
        TestServer.await("auto", SOON, () -> renditions(server, id).equals("\"auto\""));
        browser.await(
                "document.querySelector('" + form + "[name=renditions]').value === 'auto'", SOON);
        choose(browser, form + "[name=renditions]", "list");
        browser.fill(form + "[name=rendition_heights]", "180:400");
        // What others change meanwhile does not replace it.
        server.call("PATCH", STREAMS + "/" + id, "{\"title\": \"Final\", \"renditions\": []}", 200);
        browser.await("document.querySelector('h1').textContent === 'Final'", SOON);
        browser.click(form + "button");
        TestServer.await("a list", SOON, () -> renditions(server, id).contains("400000"));
    }

    private static String renditions(TestServer server, String id) {
        try {
            return server.stream(id).path("renditions").toString();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Down, up, and back to the player's own choice, while it plays. */
    private static void changeQuality(TestBrowser browser) throws Exception {
        browser.await("document.querySelector('video').currentTime > 0", SOON);
        browser.evaluate(WATCH);
        for (int width : List.of(320, 640)) {
            String level =
                    browser.evaluate(
                                    "[...document.querySelectorAll('.quality option')].find((each) =>"
                                            + " each.textContent.startsWith('%dp,')).value"
                                                    .formatted(width * 9 / 16))
                            .asText();
            choose(browser, ".quality select", level);
            browser.await("document.querySelector('video').videoWidth === " + width, SOON);
            browser.await("window.seen.frames > 10", SOON);
        }
        choose(browser, ".quality select", "-1");
        assertEquals("[]", browser.evaluate("window.seen.breaks").toString());
    }

    private static String rows() {
        return "[...document.querySelectorAll('[aria-label=Renditions]:not([hidden]) tbody tr')]";
    }

    /** In one step of the page, with the events of a browser. */
    private static void choose(TestBrowser browser, String select, String value) throws Exception {
        browser.evaluate(
                """
                (choice => {
                  choice.value = '%s';
                  choice.dispatchEvent(new Event('input', { bubbles: true }));
                  choice.dispatchEvent(new Event('change', { bubbles: true }));
                })(document.querySelector('%s'))
                """
                        .formatted(value, select));
    }

    private static Encoder push(TestServer server, String id, Path media) throws Exception {
        String key = server.stream(id).path("stream_key").asText();
        return Encoder.run(
                ("ffmpeg -v error -re -i " + media + " -c copy -f flv " + server.push(key))
                        .split(" ", -1));
    }
}
