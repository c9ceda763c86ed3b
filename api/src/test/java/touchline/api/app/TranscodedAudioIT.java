package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ffmpeg pushes without {@code -c:a aac}: MP3, which no browser plays from HLS. */
class TranscodedAudioIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    /** Longer than a browser takes to start on a busy machine. */
    private static final int PUSHED_S = 240;

    @TempDir private Path folder;

    @Test
    void mp3_playsInABrowser_andItsRecordingIsInStep() throws Exception {
        try (TestServer server = TestServer.start(folder);
                TestBrowser browser = TestBrowser.start()) {
            JsonNode stream = server.createStream("{\"latency_mode\":\"low\",\"record\":true}");
            String id = stream.path("id").asText();
            String playback = stream.path("playback_ids").path(0).path("id").asText();
            browser.signIn(server);
            browser.evaluate("location.hash = '#/streams/" + id + "'");
            try (Encoder _ = push(server.push(stream.path("stream_key").asText()))) {
                // It begins near the live edge. Two changes are in what is recorded by then.
                browser.await(
                        "(v => v?.played.length && v.currentTime > 4"
                                + " && v.currentTime - v.played.start(0) > 1"
                                + " && document.querySelector('.veil').hidden)"
                                + "(document.querySelector('video'))",
                        SOON);
            }
            JsonNode session =
                    server.call("GET", "/live/v1/live-streams/" + id + "/sessions", "", 200)
                            .path("data")
                            .path(0);
            assertEquals("transcoded", session.path("audio").asText(), session::toString);
            assertEquals("mp4a.40.34", session.path("codecs").path(1).asText());
            assertEquals(
                    "audio_codec",
                    session.path("warnings").path(0).path("code").asText(),
                    session::toString);
            String multivariant = server.get(server.playback(playback + ".m3u8")).body();
            assertTrue(multivariant.contains("mp4a.40.2\""), multivariant);

            server.call("PUT", "/live/v1/live-streams/" + id + "/complete", "", 200);
            String asset = server.stream(id).path("recent_asset_ids").path(0).asText();
            TestServer.await("the recording is complete", SOON, () -> isComplete(server, asset));
            Clapper.assertInStepSoFar(download(server, asset), 0.06);
        }
    }

    private static boolean isComplete(TestServer server, String asset) {
        try {
            return !asset(server, asset).path("is_live").asBoolean();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static JsonNode asset(TestServer server, String asset) throws Exception {
        return server.call("GET", "/video-streams/v1/assets/" + asset, "", 200).path("data");
    }

    private Path download(TestServer server, String asset) throws Exception {
        String playback = asset(server, asset).path("playback_ids").path(0).path("id").asText();
        URI address = server.playback(playback + "/capped-1080p.mp4");
        TestServer.await("the MP4", SOON, () -> server.get(address).statusCode() == 200);
        Path file = folder.resolve("recording.mp4");
        Files.write(file, server.bytes(address).body());
        return file;
    }

    /** Light and tone change together. The audio encoder is the default of FLV. */
    private static Encoder push(String address) throws Exception {
        Path clapper = EncodedInputs.get("flv", clapper());
        return Encoder.run(
                ("ffmpeg -v info -re -i " + clapper + " -c copy -f flv " + address).split(" ", -1));
    }

    private static List<String> clapper() throws IOException {
        List<String> media = new ArrayList<>(Clapper.sources(PUSHED_S));
        media.addAll(
                List.of(
                        "-c:v",
                        "libx264",
                        "-preset",
                        "veryfast",
                        "-bf",
                        "0",
                        "-g",
                        "25",
                        "-ar",
                        "44100"));
        return media;
    }
}
