package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The watch of a real push: a minute with each fault once, as fast as the server takes it, then
 * some seconds at the speed of a camera for the samples.
 */
class SignalIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String STREAMS = "/live/v1/live-streams/";
    private static final List<String> CODES =
            List.of(
                    "audio_clipping",
                    "audio_one_sided",
                    "audio_silent",
                    "video_black",
                    "video_frozen");

    /** Black from 6 to 20 s, still from 26 to 44 s; a key frame every 2 s. */
    private static final String VIDEO =
            "testsrc2=s=320x180:r=10:d=6[a];color=black:s=320x180:r=10:d=14[b];"
                    + "testsrc2=s=320x180:r=10:d=6[c];smptehdbars=s=320x180:r=10:d=18[d];"
                    + "testsrc2=s=320x180:r=10:d=6[e];"
                    + "[a][b][c][d][e]concat=n=5,format=yuv420p[v];";

    /** Silent from 6 to 18 s, the left side alone from 24 to 36 s, clipped from 36 to 40 s. */
    private static final String AUDIO =
            "aevalsrc='%1$s|if(between(t,24,36),0,%1$s)':s=48000:d=50,"
                            .formatted(
                                    "if(between(t,6,18),0,if(between(t,36,40),"
                                            + "clip(4*sin(2764.6*t),-1,1),0.1*sin(2764.6*t)))")
                    + "aformat=channel_layouts=stereo[o]";

    private static final List<String> MEDIA =
            List.of(
                    "-filter_complex",
                    VIDEO + AUDIO,
                    "-map",
                    "[v]",
                    "-map",
                    "[o]",
                    "-c:v",
                    "libx264",
                    "-preset",
                    "ultrafast",
                    "-g",
                    "20",
                    "-sc_threshold",
                    "0",
                    "-c:a",
                    "aac",
                    "-b:a",
                    "96k");

    @TempDir private Path folder;

    @Test
    void faults_ofAPush_areReportedOnceWithTheirEnds_andSamplesComeEachSecond() throws Exception {
        Path media = EncodedInputs.get("flv", MEDIA);
        try (TestServer server = TestServer.start(folder)) {
            JsonNode stream = server.createStream("{\"signal_watch\": true}");
            assertTrue(stream.path("signal_watch").asBoolean());
            String id = stream.path("id").asText();
            String key = stream.path("stream_key").asText();

            try (Encoder fast = push(server, media, "", key)) {
                assertEquals(0, fast.await(SOON), fast::output);
            }
            TestServer.await("all faults", SOON, () -> ended(server, id).equals(once()));
            assertEquals(once(), begun(server, id));
            for (String type : List.of("live_stream.warning", "live_stream.warning_ended")) {
                // Stored after the session shows them.
                TestServer.await(type, SOON, () -> events(server, id, type).equals(once()));
            }
            for (String code : CODES) {
                String series = "touchline_signal_faults_total{fault=\"" + code + "\"} 1.0";
                assertTrue(server.get(server.api("/observe/metrics")).body().contains(series));
            }

            try (Encoder live = push(server, media, "-re", key)) {
                assertSamples(server, id);
                assertTrue(live.isRunning(), live::output);
                assertSwitchedOff(server, id);
            }
        }
    }

    private static Encoder push(TestServer server, Path media, String speed, String key)
            throws IOException {
        String command =
                "ffmpeg -v error " + speed + " -i " + media + " -c copy -f flv " + server.push(key);
        return Encoder.run(command.split(" +"));
    }

    private static Map<String, Integer> once() {
        Map<String, Integer> counts = new TreeMap<>();
        CODES.forEach(code -> counts.put(code, 1));
        return counts;
    }

    private static JsonNode session(TestServer server, String id) {
        return data(server, STREAMS + id + "/sessions").path(0);
    }

    private static JsonNode data(TestServer server, String path) {
        try {
            return server.call("GET", path, "", 200).path("data");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static Map<String, Integer> begun(TestServer server, String id) {
        return counted(session(server, id).path("warnings"), false);
    }

    private static Map<String, Integer> ended(TestServer server, String id) {
        return counted(session(server, id).path("warnings"), true);
    }

    private static Map<String, Integer> counted(JsonNode warnings, boolean ended) {
        Map<String, Integer> counts = new TreeMap<>();
        for (JsonNode each : warnings) {
            String code = each.path("code").asText();
            if (CODES.contains(code) && (!ended || each.has("ended_at"))) {
                counts.merge(code, 1, Integer::sum);
            }
        }
        return counts;
    }

    private static Map<String, Integer> events(TestServer server, String id, String type) {
        List<JsonNode> warnings = new ArrayList<>();
        data(server, "/system/v1/events?limit=100&live_stream_id=" + id + "&type=" + type)
                .forEach(event -> warnings.add(event.at("/data/warning")));
        Map<String, Integer> counts = new TreeMap<>();
        for (JsonNode each : warnings) {
            if (CODES.contains(each.path("code").asText())) {
                assertEquals(type.endsWith("_ended"), each.has("ended_at"), each::toString);
                counts.merge(each.path("code").asText(), 1, Integer::sum);
            }
        }
        return counts;
    }

    private static void assertSamples(TestServer server, String id) throws Exception {
        List<JsonNode> samples = new ArrayList<>();
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request =
                    HttpRequest.newBuilder(server.api(STREAMS + id + "/signal"))
                            .header("Authorization", "Bearer " + server.token())
                            .header("Accept", "text/event-stream")
                            .build();
            var reply = client.send(request, BodyHandlers.ofInputStream());
            try (BufferedReader lines =
                    new BufferedReader(
                            new InputStreamReader(reply.body(), StandardCharsets.UTF_8))) {
                while (samples.size() < 4) {
                    String line = lines.readLine();
                    if (line.startsWith("data: ")) {
                        JsonNode sample = new ObjectMapper().readTree(line.substring(6));
                        // The first one may be of the first moments.
                        if (sample.path("loudness_lufs").isNumber()) {
                            samples.add(sample);
                        }
                    }
                }
            }
        }
        JsonNode last = samples.getLast();
        long seconds = last.path("at").asLong() - samples.getFirst().path("at").asLong();
        assertTrue(seconds >= 2 && seconds <= 5, samples::toString);
        assertEquals(2, last.path("audio").size(), samples::toString);
        assertEquals(-20, last.at("/audio/0/peak_db").asDouble(), 1, samples::toString);
        assertEquals(-23, last.at("/audio/1/rms_db").asDouble(), 1, samples::toString);
        assertEquals(-20.6, last.path("loudness_lufs").asDouble(), 1, samples::toString);
        assertEquals(0, last.path("silent_s").asDouble());
        JsonNode now = data(server, STREAMS + id + "/signal?history=3600");
        assertTrue(now.path("history").size() >= 4, now::toString);
        assertEquals(last.path("session_id"), now.path("session_id"));
        assertTrue(session(server, id).at("/signal/loudness_lufs").isNumber());
    }

    private static void assertSwitchedOff(TestServer server, String id) throws Exception {
        server.call("PATCH", STREAMS + id, "{\"signal_watch\": false}", 200);
        server.call("GET", STREAMS + id + "/signal", "", 409);
        assertTrue(session(server, id).path("signal").isNull());
        assertTrue(
                server.get(server.api("/observe/metrics"))
                        .body()
                        .contains("touchline_signal_watched 0.0"));
        server.call("PATCH", STREAMS + id, "{\"signal_watch\": true}", 200);
        TestServer.await(
                "samples again", SOON, () -> session(server, id).path("signal").has("audio"));
        assertFalse(data(server, STREAMS + id + "/signal").path("at").isNull());
    }
}
