package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.config.ServerConfig;
import touchline.media.net.FreePorts;
import touchline.testing.LogLines;

/** The server of {@code demo}, through its link, its API and its playlist. */
@Timeout(480)
final class DemoServerIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String SECRET = "demo-secret-0123456789";
    private static final Pattern LINK = Pattern.compile("http://\\S+/#/sign-in/(\\S+)");
    private static final Pattern PLAYLIST = Pattern.compile("http://\\S+\\.m3u8");

    @TempDir private Path temporary;

    @Test
    void start_linkIsOpened_signsInOnce_andAlertsCome_withoutWarnings() throws Exception {
        Path folder = Files.createDirectory(temporary.resolve("demo"));
        ServerConfig config = config(folder);
        try (LogLines logged = LogLines.ofAll();
                DemoServer demo = DemoServer.start(config, folder, SECRET);
                ApiClient api = new ApiClient(config.publicUrls().apiUrl(), SECRET);
                TestBrowser browser = TestBrowser.start()) {
            MatchResult link = first(LINK, demo.table());
            browser.open(link.group());
            browser.await("document.body.textContent.includes('Riverside v Harbour City')", SOON);
            assertEquals("#/streams", browser.evaluate("location.hash").asText());
            assertEquals(
                    "admin." + SECRET,
                    browser.evaluate("sessionStorage.getItem('touchline.token')").asText());

            browser.evaluate("sessionStorage.clear()");
            browser.evaluate("location.hash = '#/sign-in/" + link.group(1) + "'");
            browser.await(
                    "document.querySelector('#token-error')?.textContent.includes('used before')",
                    SOON);

            assertEquals("low", stream(api).path("latency_mode").asText());
            TestServer.await("an alert", SOON, () -> alerts(api, "weapon") > 0);
            JsonNode session =
                    api.get(
                                    "/live/v1/live-streams/"
                                            + stream(api).path("id").asText()
                                            + "/sessions")
                            .path("data")
                            .path(0);
            assertEquals(List.of(), warningsOfSettings(session));
            String multivariant = first(PLAYLIST, demo.table()).group();
            assertTrue(mediaPlaylist(multivariant).contains("#EXT-X-PART:"));
            if ("rewrite".equals(System.getProperty("touchline.images"))) {
                writeImages(link.group(), stream(api).path("id").asText(), multivariant);
            }
            for (String line : logged.texts()) {
                assertFalse(line.contains(link.group(1)));
                assertFalse(line.contains(SECRET));
            }
        }
        assertFalse(Files.exists(folder));
    }

    /** The images of README.md, from this match: {@code -Dtouchline.images=rewrite}. */
    private void writeImages(String link, String stream, String multivariant) throws Exception {
        Path images = Path.of("..", "docs", "images");
        try (TestBrowser browser = TestBrowser.start()) {
            browser.open(link);
            browser.evaluate("sessionStorage.setItem('touchline.token', 'admin." + SECRET + "')");
            browser.open(link.replaceFirst("/#/.*", "/?images#/streams/" + stream));
            browser.await("document.querySelector('video')?.currentTime > 8", SOON);
            browser.save("console.png");
        }
        Files.copy(
                Path.of("target", "screenshots", "console.png"),
                images.resolve("console.png"),
                StandardCopyOption.REPLACE_EXISTING);
        Process frame =
                new ProcessBuilder(
                                "ffmpeg",
                                "-v",
                                "error",
                                "-y",
                                "-i",
                                multivariant,
                                "-frames:v",
                                "1",
                                images.resolve("match.png").toString())
                        .inheritIO()
                        .start();
        assertEquals(0, frame.waitFor());
    }

    /** Codes of warnings, without those that a busy host alone can cause. */
    private static List<String> warningsOfSettings(JsonNode session) {
        List<String> codes = new ArrayList<>();
        session.path("warnings").forEach(each -> codes.add(each.path("code").asText()));
        codes.removeAll(
                List.of(
                        "av_drift",
                        "bitrate_swings",
                        "key_frame_interval",
                        "no_video",
                        "variable_frame_rate"));
        return codes;
    }

    private static ServerConfig config(Path folder) throws IOException {
        return ConfigOption.apart(folder.resolve("data"), SECRET)
                .with("moderation.demo-models", "true")
                .with("moderation.models-dir", folder.resolve("models").toString())
                .with("api.port", freePort())
                .with("playback.port", freePort())
                .with("rtmp.port", freePort())
                .load();
    }

    private static JsonNode stream(ApiClient api) {
        return api.get("/live/v1/live-streams").path("data").path(0);
    }

    private static int alerts(ApiClient api, String type) {
        return api.get("/audit/v1/records/moderation-records?alert_type=" + type)
                .path("total")
                .asInt();
    }

    private static String mediaPlaylist(String multivariant)
            throws IOException, InterruptedException {
        String text = text(URI.create(multivariant));
        String address =
                text.lines().filter(line -> !line.startsWith("#")).findFirst().orElseThrow();
        return text(URI.create(multivariant).resolve(address));
    }

    private static String text(URI address) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
                    .body();
        }
    }

    private static MatchResult first(Pattern pattern, String text) {
        return pattern.matcher(text).results().findFirst().orElseThrow();
    }

    private static String freePort() throws IOException {
        return String.valueOf(FreePorts.next());
    }
}
