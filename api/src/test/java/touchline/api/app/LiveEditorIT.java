package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clips and markers of a running session, made in a real browser by keys: the frames that the
 * player shows, by the numbers in them, are the frames of the recording.
 */
class LiveEditorIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String ASSETS = "/video-streams/v1/assets";
    private static final String VIDEO = "document.querySelector('.player video')";

    /** The file's frames: eight seconds. */
    private static final int FRAMES = 240;

    /** The number in the frame that the player shows: its cells, as NumberedVideo draws them. */
    private static final String NUMBER =
            """
            (() => {
              const video = document.querySelector('.player video');
              const canvas = document.createElement('canvas');
              [canvas.width, canvas.height] = [288, 64];
              const context = canvas.getContext('2d');
              context.drawImage(video, 0, 0, 288, 64);
              let number = 0;
              for (let bit = 0; bit < 12; bit++) {
                number |= context.getImageData(bit * 24 + 12, 32, 1, 1).data[0] > 128 ? 1 << bit : 0;
              }
              return number;
            })()""";

    private static final String STILL =
            VIDEO + ".paused && !" + VIDEO + ".seeking && " + VIDEO + ".readyState >= 2";

    /** The browser has presented the frame of the last seek. */
    private static final String EXACT =
            "document.querySelector('.live-editor').hasAttribute('data-exact')";

    @TempDir private static Path folder;

    private static TestServer server;
    private static TestBrowser browser;

    @BeforeAll
    static void start() throws Exception {
        server = TestServer.start(folder.resolve("data"));
        browser = TestBrowser.start();
    }

    @AfterAll
    static void stop() throws Exception {
        browser.close();
        server.close();
    }

    @Test
    void frameThatIsShown_isTheFrameOfMarkersAndClips() throws Exception {
        Path flv = folder.resolve("in.flv");
        NumberedVideo.encode(flv, 8, "libx264 -preset ultrafast -bf 2 -g 60");
        JsonNode stream =
                server.createStream(
                        """
                        {"title": "Cup final", "record": true, "latency_mode": "low",
                         "reconnect_window": 60}
                        """);
        String id = stream.path("id").asText();
        String push = server.push(stream.path("stream_key").asText());
        push(flv, push);
        browser.signIn(server);
        // The encoder comes back: behind a discontinuity times go on.
        try (Encoder encoder =
                Encoder.run(
                        ("ffmpeg -v info -re -stream_loop -1 -i " + flv + " -c copy -f flv " + push)
                                .split(" "))) {
            browser.evaluate("location.hash = '#/streams/" + id + "'");
            browser.await(VIDEO + ".currentTime > 0 && " + VIDEO + ".readyState > 2", SOON);
            browser.await("document.querySelector('.dvr-line').offsetHeight > 0", SOON);
            String session = server.stream(id).path("active_session_id").asText();
            int live = markLive(session);
            int before = clipAcrossTheReturn();
            transport();
            typingIsNoKey(session);
            assertTrue(encoder.isRunning(), encoder::output);
            encoder.kill();
            server.call("PUT", "/live/v1/live-streams/" + id + "/complete", "", 200);
            markersAreWhereTheyWereSet(session, live, before);
        }
        browser.assertNoPolicyReports();
    }

    private static void push(Path flv, String address) throws Exception {
        try (Encoder encoder =
                Encoder.run(
                        ("ffmpeg -v info -readrate 4 -i " + flv + " -c copy -f flv " + address)
                                .split(" "))) {
            assertEquals(0, encoder.await(SOON), encoder::output);
        }
    }

    private static void press(String key) throws Exception {
        browser.evaluate(
                "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: '"
                        + key
                        + "', bubbles: true, cancelable: true})); null");
    }

    private static int shown() throws Exception {
        browser.await(STILL + " && " + EXACT, SOON);
        return browser.evaluate(NUMBER).asInt();
    }

    /** A marker at the live edge, of the frame at which the player was stopped. */
    private static int markLive(String session) throws Exception {
        press("k");
        int number = shown();
        press("1");
        awaitMarkers(session, 1);
        assertEquals("Goal", markers(session).at("/0/label").asText());
        browser.await("document.querySelector('.marks span')?.title.includes('Goal')", SOON);
        return number;
    }

    /** In before the encoder's return, out behind it: frame by frame to the exact ones. */
    private static int clipAcrossTheReturn() throws Exception {
        browser.await("Number(document.querySelector('.dvr-line input').max) > 10500", SOON);
        seekTo(7_400);
        int from = shown();
        press(".");
        assertEquals(from + 1, shown());
        press(".");
        press(".");
        assertEquals(from + 3, shown());
        press(",");
        int first = shown();
        assertEquals(from + 2, first);
        press("2");
        seekTo(8_700);
        int last = shown();
        press("o");
        seekTo(7_400);
        shown();
        press(".");
        press(".");
        assertEquals(first, shown());
        press("i");
        press("Enter");
        browser.await("document.querySelector('.live-editor [data-status=ready] button')", SOON);
        browser.viewport(1440, 900);
        browser.save("live-editor-1440.png");
        browser.viewport(390, 844);
        browser.save("live-editor-390.png");
        browser.viewport(1280, 860);
        List<Integer> expected =
                IntStream.rangeClosed(first, FRAMES + last).map(n -> n % FRAMES).boxed().toList();
        String clip =
                browser.evaluate("document.querySelector('.live-editor [data-clip]').dataset.clip")
                        .asText();
        JsonNode asset = server.call("GET", ASSETS + "/" + clip, "", 200).path("data");
        String mp4 = asset.at("/playback_ids/0/id").asText() + "/capped-1080p.mp4";
        assertEquals(expected, NumberedVideo.numbers(server.playback(mp4).toString()));
        return first;
    }

    private static void seekTo(int ms) throws Exception {
        browser.evaluate(
                "(line => { line.value = '%d'; line.dispatchEvent(new Event('change')); })(document.querySelector('.dvr-line input'))"
                        .formatted(ms));
        browser.await(
                STILL
                        + " && "
                        + EXACT
                        + " && Math.abs(Number(document.querySelector('.dvr-line input').value) - "
                        + ms
                        + ") < 34",
                SOON);
    }

    /** J plays backwards, L forwards, each faster at the second press; K stops. */
    private static void transport() throws Exception {
        seekTo(6_000);
        press("l");
        press("l");
        browser.await(VIDEO + ".playbackRate === 2 && !" + VIDEO + ".paused", SOON);
        browser.evaluate("window.from = " + VIDEO + ".currentTime");
        browser.await(VIDEO + ".currentTime > window.from + 0.5", SOON);
        press("j");
        browser.evaluate("window.from = " + VIDEO + ".currentTime");
        browser.await(VIDEO + ".currentTime < window.from - 0.5", SOON);
        press("k");
        browser.await(STILL, SOON);
        press("g");
        browser.await("!" + VIDEO + ".paused && " + VIDEO + ".readyState > 2", SOON);
    }

    /** A label of one's own, and the sheet of keys: what is typed there sets no markers. */
    private static void typingIsNoKey(String session) throws Exception {
        press("m");
        browser.await("document.activeElement.name === 'marker'", SOON);
        press("1");
        browser.evaluate(
                "document.activeElement.value = 'Offside?'; document.activeElement.form.requestSubmit()");
        awaitMarkers(session, 3);
        // The browser takes the focus from a hidden field when it draws next.
        browser.await("document.activeElement === document.body", SOON);
        press("?");
        browser.await("document.querySelector('dialog.key-sheet[open] .here')", SOON);
        press("1");
        browser.save("key-sheet-1280.png");
        browser.click("dialog[open] button[value=no]");
        awaitMarkers(session, 3);
    }

    private static void awaitMarkers(String session, int count) throws Exception {
        TestServer.await(
                count + " markers",
                SOON,
                () -> {
                    try {
                        return markers(session).size() == count;
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                });
    }

    private static JsonNode markers(String session) throws Exception {
        return server.call("GET", "/live/v1/sessions/" + session + "/markers", "", 200)
                .path("data");
    }

    /** The markers' times name the frames that were shown, in the finished recording. */
    private static void markersAreWhereTheyWereSet(String session, int live, int before)
            throws Exception {
        TestServer.await(
                "the end of the recording",
                SOON,
                () -> {
                    try {
                        return !recording().path("is_live").asBoolean();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                });
        String playback = recording().at("/playback_ids/0/id").asText();
        FrameTimes frames = FrameTimes.ofMp4(server.playback(playback + "/capped-1080p.mp4"));
        for (JsonNode marker : markers(session)) {
            long ms = Math.round(marker.path("time").asDouble() * 1_000);
            switch (marker.path("label").asText()) {
                case "Goal" -> assertEquals(live, frames.at(ms), marker::toString);
                case "Chance" -> assertEquals(before, frames.at(ms), marker::toString);
                default -> assertEquals("Offside?", marker.path("label").asText());
            }
        }
    }

    private static JsonNode recording() throws Exception {
        return server.call("GET", ASSETS + "?kind=recording", "", 200).at("/data/0");
    }
}
