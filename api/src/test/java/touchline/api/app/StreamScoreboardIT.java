package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.testing.Goertzel;

/** An overlay stream as scoreboard: grey with a low tone, over it white with a high one. */
@Timeout(480)
final class StreamScoreboardIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final int RATE_HZ = 48_000;
    private static final int MAIN_HZ = 1_000;
    private static final int SECOND_HZ = 3_000;

    /** Of FFmpeg's sine source, in each of two channels. */
    private static final double MAIN_LEVEL = 0.125 / Math.sqrt(2);

    private static final double SECOND_LEVEL = 0.125;

    private static final String SCOREBOARD =
            """
            {"generate_watermark": {"type": "stream",
             "audio_mix_settings": {"mode": "mix", "volume_main": 0.5, "volume_secondary": 0.25},
             "overlay_settings": {"width": "50%", "height": "50%",
              "horizontal_align": "right", "vertical_align": "bottom"}},
             "latency_mode": "low"}
            """;

    @TempDir private Path folder;

    @Test
    void overlayStream_isVisibleAndAudible_andYieldsToTheMainOne() throws Exception {
        try (TestServer server = TestServer.start(folder.resolve("data"))) {
            JsonNode stream = server.createStream(SCOREBOARD);
            String id = stream.path("id").asText();
            String push =
                    server.push(stream.path("generate_watermark").path("stream_key").asText());
            URI playlist =
                    server.playback(
                            stream.path("playback_ids").path(0).path("id").asText() + ".m3u8");
            try (Encoder main = encoder("gray:size=640x360:rate=30", MAIN_HZ, 2, server, stream)) {
                TestServer.await("live", SOON, () -> server.status(id).equals("active"));
                awaitRefusal(push);
                TestServer.await(
                        "a playlist; " + main.output(),
                        SOON,
                        () -> server.get(playlist).statusCode() == 200);
                LowLatencyViewer viewer = new LowLatencyViewer(server.mediaPlaylist(playlist));
                Thread watching = Thread.ofVirtual().start(viewer);
                try (Encoder second = secondLetIn(push)) {
                    awaitCorner(server, id, 255, second);
                    // What can be played is a little older than what is composited.
                    awaitLevels(playlist, 0.5 * MAIN_LEVEL, 0.25 * SECOND_LEVEL);

                    mix(server, id, "\"mode\": \"secondary\", \"volume_secondary\": 1");
                    awaitLevels(playlist, 0, SECOND_LEVEL);
                    mix(server, id, "\"mode\": \"main\", \"volume_main\": 1");
                    awaitLevels(playlist, MAIN_LEVEL, 0);

                    second.kill();
                    awaitCorner(server, id, 128, main);
                }
                try (Encoder again = secondLetIn(push)) {
                    awaitCorner(server, id, 255, again);
                }
                assertTrue(main.isRunning(), main::output);
                server.call("PUT", "/live/v1/live-streams/" + id + "/complete", "", 200);
                assertTrue(watching.join(SOON), "the viewer saw no end");
                assertEquals(List.of(), viewer.problems);
                assertEquals(List.of(), viewer.findings());
                assertEquals(0, viewer.discontinuities());
            }
        }
    }

    @Test
    void secondPush_thatStartedJustBefore_isCut() throws Exception {
        try (TestServer server = TestServer.start(folder.resolve("data"))) {
            JsonNode stream = server.createStream(SCOREBOARD);
            String push =
                    server.push(stream.path("generate_watermark").path("stream_key").asText());
            try (Encoder second = encoder("white:size=320x180:rate=25", SECOND_HZ, 1, push)) {
                TestServer.await("the overlay", SOON, () -> second.output().contains("time="));
                try (Encoder main =
                        encoder("gray:size=640x360:rate=30", MAIN_HZ, 2, server, stream)) {
                    assertTrue(second.await(SOON) != 0, second::output);
                    assertTrue(second.output().contains("retry in 10 s"), second::output);
                    assertTrue(main.isRunning(), main::output);
                }
            }
        }
    }

    private static void awaitRefusal(String push) throws Exception {
        try (Encoder early = encoder("white:size=320x180:rate=25", SECOND_HZ, 1, push)) {
            assertTrue(early.await(SOON) != 0, early::output);
            assertTrue(early.output().contains("retry in"), early::output);
        }
    }

    private static Encoder secondLetIn(String push) throws Exception {
        return Encoder.letIn(SOON, () -> encoder("white:size=320x180:rate=25", SECOND_HZ, 1, push));
    }

    private static Encoder encoder(
            String frame, int hz, int channels, TestServer server, JsonNode stream)
            throws IOException {
        return encoder(frame, hz, channels, server.push(stream.path("stream_key").asText()));
    }

    private static Encoder encoder(String frame, int hz, int channels, String push)
            throws IOException {
        return Encoder.run(
                ("ffmpeg -v info -re -f lavfi -i color=" + frame)
                        .concat(" -re -f lavfi -i sine=frequency=" + hz + ":sample_rate=48000")
                        .concat(" -c:v libx264 -preset ultrafast -g 30 -pix_fmt yuv420p -b:v 300k")
                        .concat(" -c:a aac -b:a 128k -ac " + channels + " -f flv " + push)
                        .split(" ", -1));
    }

    private static void mix(TestServer server, String id, String settings) throws Exception {
        server.call(
                "PUT",
                "/live/v1/live-streams/" + id + "/generated-watermark",
                "{\"audio_mix_settings\": {" + settings + "}}",
                200);
    }

    private void awaitLevels(URI playlist, double main, double second) throws InterruptedException {
        TestServer.awaitCostly(
                "tones of " + main + " and " + second,
                SOON,
                () -> {
                    float[] audio = decodedAudio(playlist);
                    return isLevel(main, audio, MAIN_HZ) && isLevel(second, audio, SECOND_HZ);
                });
    }

    private static boolean isLevel(double expected, float[] audio, int hz) {
        double found = amplitude(audio, hz);
        return expected == 0 ? found < 0.002 : Math.abs(20 * Math.log10(found / expected)) <= 0.5;
    }

    /** A second and a half of the left channel, as a player decodes it at the live edge. */
    private float[] decodedAudio(URI playlist) {
        try {
            return record(playlist);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private float[] record(URI playlist) throws IOException, InterruptedException {
        Path raw = Files.createTempFile(folder, "decoded", ".raw");
        try (Encoder player =
                Encoder.run(
                        ("ffmpeg -v error -y -live_start_index -1 -i " + playlist)
                                .concat(" -t 1.5 -map 0:a -af pan=mono|c0=c0 -ar " + RATE_HZ)
                                .concat(" -f f32le " + raw)
                                .split(" ", -1))) {
            assertEquals(0, player.await(SOON), player::output);
        }
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(raw)).order(ByteOrder.LITTLE_ENDIAN);
        float[] samples = new float[bytes.remaining() / Float.BYTES];
        bytes.asFloatBuffer().get(samples);
        assertTrue(samples.length > RATE_HZ, samples.length + " samples");
        return samples;
    }

    /**
     * Of a tone, by Parseval's theorem over the bins of one second around it. The overlay's pitch
     * is off by up to 1.2 % while its clock is followed.
     */
    private static double amplitude(float[] samples, int hz) {
        double[] windowed = new double[RATE_HZ];
        double weights = 0;
        for (int i = 0; i < RATE_HZ; i++) {
            double weight = 0.5 - 0.5 * Math.cos(2 * Math.PI * (i + 0.5) / RATE_HZ);
            windowed[i] = weight * samples[i];
            weights += weight * weight;
        }
        double power = 0;
        int most = hz * 3 / 200;
        for (int bin = hz - most; bin <= hz + most; bin++) {
            power += Goertzel.power(windowed, bin, RATE_HZ);
        }
        return 2 * Math.sqrt(power / (RATE_HZ * weights));
    }

    private static void awaitCorner(TestServer server, String id, int grey, Encoder encoder)
            throws InterruptedException {
        TestServer.awaitCostly(
                "grey " + grey + " in the corner; " + encoder.output(),
                SOON,
                () -> Math.abs(corner(server, id) - grey) <= 6);
    }

    /** Green inside the lower right corner; -1000 where there is no preview. */
    private static int corner(TestServer server, String id) {
        return server.preview(id)
                .map(frame -> frame.getRGB(frame.getWidth() - 40, frame.getHeight() - 40))
                .map(pixel -> (pixel >> 8) & 0xFF)
                .orElse(-1000);
    }
}
