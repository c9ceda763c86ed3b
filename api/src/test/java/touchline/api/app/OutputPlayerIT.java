package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.storage.S3Store;

/** Plays every format from the bucket: in ffmpeg, in hls.js, and in dash.js. */
@Timeout(480)
final class OutputPlayerIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final double SECONDS = 4;
    private static final double FRAME_SECONDS = 1.0 / 25;

    @TempDir private Path folder;

    @Test
    void everyFormat_ofOneRequest_playsInStepAndToItsEnd() throws Exception {
        Path inputs = Files.createDirectories(folder.resolve("inputs"));
        Path input = inputs.resolve("clapper.mp4");
        Clapper.make(input);
        Clapper.assertInStep(input, SECONDS, FRAME_SECONDS);
        try (S3Store store = S3Store.start();
                VodPeers peers = new VodPeers(inputs);
                TestServer server =
                        TestServer.start(
                                folder.resolve("data"),
                                Map.of(
                                        "TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8",
                                        "TOUCHLINE_STORAGE_MIN_FREE", "0"))) {
            VodClient client = new VodClient(server, peers);
            client.request(
                    client.storage(store.endpoint()),
                    peers.at("/files/clapper.mp4").toString(),
                    """
                    [{"format": "mp4", "height": 90}, {"format": "flv", "height": 90},
                     {"format": "hls", "height": [180, 90]}, {"format": "dash", "height": [180, 90]}]
                    """);

            JsonNode notice = client.notice(0).json();

            assertEquals("succeeded", notice.path("msg").asText(), notice::toString);
            for (JsonNode result : notice.path("data")) {
                assertEquals(SECONDS, result.path("duration").asDouble(), FRAME_SECONDS);
                Path entry = OutputJudge.download(store, result.path("output").asText(), folder);
                Clapper.assertInStep(entry, SECONDS, FRAME_SECONDS);
                if (result.path("format").asText().matches("hls|dash")) {
                    assertPlays(entry, result.path("format").asText());
                }
            }
        }
    }

    /** From the first frame to the last, with audio, every size of the ladder known. */
    private static void assertPlays(Path entry, String player) throws Exception {
        try (PlayerSite site = new PlayerSite(entry);
                TestBrowser browser = TestBrowser.start()) {
            browser.open(site.at(player));
            browser.await("window.hasEnded", SOON);

            JsonNode seen =
                    browser.evaluate(
                            """
                            (() => {
                              const video = document.querySelector('video');
                              const quality = video.getVideoPlaybackQuality();
                              return {
                                seconds: video.duration, at: video.currentTime,
                                frames: quality.totalVideoFrames, levels: window.levels(),
                                audioBytes: video.webkitAudioDecodedByteCount,
                                problems: window.problems,
                              };
                            })()""");
            assertEquals("[]", seen.path("problems").toString(), seen::toString);
            assertEquals(SECONDS, seen.path("seconds").asDouble(), FRAME_SECONDS, seen::toString);
            assertEquals(SECONDS, seen.path("at").asDouble(), FRAME_SECONDS, seen::toString);
            assertEquals(2, seen.path("levels").asInt(), seen::toString);
            assertTrue(seen.path("frames").asInt() > 50, seen::toString);
            assertTrue(seen.path("audioBytes").asInt() > 0, seen::toString);
            assertEquals(List.of(), browser.problems());
        }
    }
}
